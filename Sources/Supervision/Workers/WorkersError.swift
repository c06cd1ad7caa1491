/// Why a worker cannot be started: what failed, why, and what to do.
package struct WorkersError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}
