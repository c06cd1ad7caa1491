// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The kind of a host, as far as its text shows it before any connection.
package enum HostKind: Sendable, Equatable {
    /// An address of this machine, or `localhost`.
    case loopback
    /// The IP address of another machine.
    case address
    /// A name, whose address is known when a connection is made. A name such as `127.example` is not this machine.
    case name

    /// - Parameter host: without brackets and port.
    init(_ host: some StringProtocol) {
        let text = String(host)
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self = bytes[0] == 127 ? .loopback : .address
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self = bytes == [UInt8](repeating: 0, count: 15) + [1] ? .loopback : .address
        } else {
            self = text.lowercased() == "localhost" ? .loopback : .name
        }
    }
}
