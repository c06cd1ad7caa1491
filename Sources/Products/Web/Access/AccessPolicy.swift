// SPDX-License-Identifier: Apache-2.0
/// Decides which requests are answered. A function of values.
package struct AccessPolicy: Sendable {
    /// The members of a request that decide.
    package struct Visit: Sendable {
        package var method: String
        package var path: String
        package var host: String?
        package var origin: String?
        /// Whether the request has the token, or the cookie of a session.
        package var isKnown: Bool

        package init(method: String, path: String, host: String?, origin: String? = nil, isKnown: Bool = false) {
            self.method = method
            self.path = path
            self.host = host
            self.origin = origin
            self.isKnown = isKnown
        }
    }

    package enum Verdict: Sendable, Equatable {
        case admitted
        /// The name in `Host` is not the page's: perhaps DNS rebinding.
        case wrongHost
        /// Another site's page sent the request.
        case wrongOrigin
        /// The request needs the token or a session.
        case unknown
    }

    /// The path of the one-time link.
    package static let linkPath = "/login"

    /// Names of the page in lower case, without ports. Addresses are always accepted: no name leads to them.
    private let names: Set<String>
    private let needsToken: Bool

    /// - Parameters:
    ///   - machine: the name of the host.
    ///   - allowedHosts: further names, in any case, with or without a port.
    package init(machine: String, allowedHosts: [String], needsToken: Bool) {
        let machine = machine.lowercased()
        names = Set(["localhost", machine, "\(machine).local"] + allowedHosts.map { Self.name(in: $0) })
        self.needsToken = needsToken
    }

    package func verdict(on visit: Visit) -> Verdict {
        guard let host = visit.host, isOurs(Self.name(in: host)) else { return .wrongHost }
        if let origin = visit.origin {
            guard let mark = origin.range(of: "://"), origin[mark.upperBound...].lowercased() == host.lowercased()
            else {
                return .wrongOrigin
            }
        }
        let isOpen =
            (visit.method == "GET" || visit.method == "HEAD") && ["/healthz", Self.linkPath].contains(visit.path)
        return !needsToken || visit.isKnown || isOpen ? .admitted : .unknown
    }

    private func isOurs(_ name: String) -> Bool { names.contains(name) || Self.isAddress(name) }

    /// The name of `HOST[:PORT]` in lower case, without the brackets of an IPv6 address.
    private static func name(in host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }

    private static func isAddress(_ name: String) -> Bool {
        if name.contains(":") {
            return name.utf8.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == 0x2E }
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
            }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension String {
    /// The first occurrence of a text. Foundation's method of this kind needs all of Foundation.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
