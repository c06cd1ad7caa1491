// SPDX-License-Identifier: Apache-2.0
/// The reason why a socket cannot be served: the operation, the cause, the path, and advice.
package struct SocketError: Error, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
