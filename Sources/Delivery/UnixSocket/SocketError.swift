/// Why a socket cannot be served: what failed, why, where, and what to do.
package struct SocketError: Error, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
