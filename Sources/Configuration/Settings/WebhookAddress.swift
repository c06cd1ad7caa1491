// SPDX-License-Identifier: Apache-2.0
/// The address of a webhook: `https://HOST[:PORT][/PATH][?QUERY]`, or `http://` of this machine.
///
/// The path or the query may hold a key. Texts for people have only `origin`.
package struct WebhookAddress: Sendable, Equatable, CustomStringConvertible {
    /// The whole address.
    package let url: String
    /// Scheme, host and port.
    package let origin: String
    package let isEncrypted: Bool
    package let host: HostKind

    package var description: String { origin }

    /// Stands for an address that is missing.
    init() { (url, origin, isEncrypted, host) = ("", "", true, .name) }

    /// nil for another form.
    init?(_ text: String) {
        guard let rest = address(text, schemes: ["http", "https"]), text.utf8.count <= 2048 else { return nil }
        let isPlain = rest.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" }
        guard isPlain, !hasUserInfo(rest) else { return nil }
        let authority = rest.prefix { !"/?#".contains($0) }
        guard let host = Self.host(authority) else { return nil }
        url = text
        self.host = host
        isEncrypted = text.prefix { $0 != ":" }.lowercased() == "https"
        origin = "\(isEncrypted ? "https" : "http")://\(authority)"
    }

    /// The kind of the host in `HOST[:PORT]`; nil for another form. A host that libcurl might read in another way than
    /// this function is a name, and the socket judges it.
    private static func host(_ authority: Substring) -> HostKind? {
        var port = authority[authority.endIndex...]
        let host: HostKind
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let text = authority[..<end].dropFirst()
            host = HostKind(text)
            guard host != .name, text.contains(":") else { return nil }
            port = authority[authority.index(after: end)...]
        } else {
            let text = authority.prefix { $0 != ":" }
            guard !text.isEmpty, text.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) else {
                return nil
            }
            host = HostKind(text)
            port = authority.dropFirst(text.count)
        }
        guard !port.isEmpty else { return host }
        guard port.hasPrefix(":"), let number = Int(port.dropFirst()), (1...65535).contains(number) else { return nil }
        return host
    }
}

extension ValueFormat<WebhookAddress> {
    /// The address is in no message: its path may hold a key.
    static var webhookAddress: Self {
        let write = { @Sendable (address: WebhookAddress) -> TOMLNode? in
            address.url.isEmpty ? nil : .string(address.url)
        }
        return .init("address", write) { node throws(ValueProblem) in
            guard case .string(let text) = node else { throw .wrongType("a string", node) }
            guard let address = WebhookAddress(text) else {
                throw .init("must be an address such as https://example.org/hook, without a user and a password")
            }
            guard address.isEncrypted || address.host == .loopback else {
                throw .init(
                    "must begin with https://", suggestion: "http:// is for this machine: localhost, 127.0.0.1, [::1]")
            }
            return address
        }
    }
}
