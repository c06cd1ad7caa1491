/// What keeps a tape from being written or read, in words for people.
package struct TapeError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
    /// There is nothing to read, as opposed to something that is no tape.
    package var isMissing = false

    init(_ description: String, isMissing: Bool = false) {
        self.description = description
        self.isMissing = isMissing
    }
}
