/// Why the socket cannot be served: what failed, why, where, and what to do.
package struct EventSocketError: Error, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}
