// SPDX-License-Identifier: Apache-2.0
/// The reason why a tape cannot be written or read, as text for people.
package struct TapeError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
    /// Whether the file is missing or unreadable, as opposed to not being a tape.
    package var isMissing = false

    init(_ description: String, isMissing: Bool = false) {
        self.description = description
        self.isMissing = isMissing
    }
}
