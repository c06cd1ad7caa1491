// SPDX-License-Identifier: Apache-2.0
/// The reason why a worker cannot be started: the operation, the cause, and advice.
package struct WorkersError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}
