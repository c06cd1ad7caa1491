// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The address of a Unix socket.
package struct UnixAddress: Sendable {
    /// `sun_path` holds 108 bytes with the terminating zero (unix(7)).
    package static let maximumPathBytes = 107

    private let address: sockaddr_un
    private let length: socklen_t

    /// A name in the file system; nil: it is too long.
    package init?(path: String) {
        self.init(name: Array(path.utf8) + [0])
    }

    /// A name of the abstract kind; nil: it is too long.
    package init?(abstract name: String) {
        self.init(name: [0] + Array(name.utf8))
    }

    private init?(name: [UInt8]) {
        guard name.count <= Self.maximumPathBytes + 1 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        self.address = address
        length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    }

    /// - Parameter call: `bind`, `connect` or another call that takes an address.
    package func with<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, length) }
        }
    }

    /// The path that a socket is bound to; nil: none.
    package static func path(of descriptor: CInt) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        let text = withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? nil : text
    }
}
