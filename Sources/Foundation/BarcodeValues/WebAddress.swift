// SPDX-License-Identifier: Apache-2.0
/// Recognises web addresses (RFC 3986, RFC 9110, 4.2), and mistyped ones.
enum WebAddress {
    private static let schemes = ["https", "http", "ftp"]

    /// The address as it stands, if it is one.
    static func whole(_ text: TextBytes) -> String? {
        for scheme in schemes {
            guard let rest = text.after(ignoringCase: scheme + "://") else { continue }
            // A scheme twice looks like a host named http with an empty port.
            let isTwice = schemes.contains { rest.after(ignoringCase: $0 + ":") != nil }
            return isHierarchy(rest) && !isTwice ? text.string : nil
        }
        return nil
    }

    /// The address that was meant: a scheme with one letter or mark too few or too many, or none before a host that
    /// stands alone.
    static func repaired(_ text: TextBytes) -> String? {
        guard let (scheme, rest) = damagedScheme(text) else {
            let host = text.prefix { !"/?#:".utf8.contains($0) }
            return HostName.isBareWebHost(host) && isHierarchy(text) ? "http://" + text.string : nil
        }
        // A scheme twice: the second is the one that was meant.
        if let address = whole(rest) { return address }
        let host = rest.prefix { !"/?#:".utf8.contains($0) }
        return HostName.isDomain(host) && isHierarchy(rest) ? "\(scheme)://\(rest.string)" : nil
    }

    /// Host, port, path: what follows the scheme. No white space, no control characters.
    private static func isHierarchy(_ text: TextBytes) -> Bool {
        guard !text.contains(where: { $0.isControl || $0 == 0x20 || "<>\"\\^`{|}".utf8.contains($0) }) else {
            return false
        }
        let authority = text.prefix { !"/?#".utf8.contains($0) }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        guard let colon = host.lastIndex(of: UInt8(ascii: ":")), host.last != UInt8(ascii: "]") else {
            return !host.isEmpty && HostName.isHost(host)
        }
        let port = host[(colon + 1)...]
        return HostName.isHost(host[..<colon]) && (port.isEmpty || (port.integer.map { $0 <= 65535 } ?? false))
    }

    /// `http:/a`, `http:a`, `http//a`, `http;//a`, `http:\\a`, `ttp://a`, `htp://a`, `hhttp://a`, `http:///a`: scheme
    /// and what follows.
    private static func damagedScheme(_ text: TextBytes) -> (String, TextBytes)? {
        let letters = text.prefix { $0.isLetter }
        guard let scheme = misspellings[letters.string.lowercased()] else { return nil }
        let marks = text[letters.endIndex...].prefix { ":;/\\".utf8.contains($0) }
        let rest = text[marks.endIndex...]
        // `https.example.com` is a host, `http` a word.
        let isWhole = letters.string.lowercased() == scheme
        guard marks.count >= (isWhole ? 1 : 3), marks.count <= 5, !rest.isEmpty else { return nil }
        return (scheme, rest)
    }

    private static let misspellings: [String: String] = [
        "http": "http", "https": "https", "ttp": "http", "ttps": "https", "htp": "http", "htps": "https",
        "hhttp": "http", "hhttps": "https", "htttp": "http", "htttps": "https", "httpp": "http", "httpss": "https",
        "hppt": "http", "hppts": "https", "htpp": "http", "htpps": "https", "hhtp": "http", "hhtps": "https",
        "httsp": "https",
    ]
}
