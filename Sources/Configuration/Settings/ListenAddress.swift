// SPDX-License-Identifier: Apache-2.0
/// An address on which a server listens.
package enum ListenAddress: Sendable, Equatable {
    /// An IPv4 or IPv6 address without brackets, or `localhost`; and a port, 0 for any free one.
    case network(host: String, port: Int)
    /// An absolute path of at most 107 bytes.
    case unix(path: String)

    /// Reads `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`. nil for another form.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/"), path.utf8.count <= 107 else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65535).contains(port)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let isAddress = host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
        }
        guard host == "localhost" || (isAddress && host.contains(where: { $0 == "." || $0 == ":" })) else {
            return nil
        }
        self = .network(host: host, port: port)
    }

    /// Whether only this machine reaches it.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .network(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
        }
    }

    package var text: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .network(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}
