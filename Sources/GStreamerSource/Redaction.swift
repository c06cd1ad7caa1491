/// Takes secrets out of what the media library says.
struct Redaction {
    private let secret: String?

    /// - Parameter secret: the password in use.
    init(_ secret: String?) {
        self.secret = secret.flatMap { $0.isEmpty ? nil : $0 }
    }

    func callAsFunction(_ text: String) -> String {
        let known = secret.map { text.split(separator: $0, omittingEmptySubsequences: false).joined(separator: "***") }
        return Self.withoutUserInfo(known ?? text)
    }

    /// `scheme://user:password@host` becomes `scheme://***@host`: a `launch` text may hold such addresses.
    private static func withoutUserInfo(_ text: String) -> String {
        var parts = text.split(separator: "://", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            let authority = parts[index].prefix { !"/ \"'".contains($0) }
            guard let at = authority.lastIndex(of: "@") else { continue }
            parts[index].replaceSubrange(..<at, with: "***")
        }
        return parts.joined(separator: "://")
    }
}
