// SPDX-License-Identifier: Apache-2.0
/// Takes secrets out of what the media library says.
struct Redaction {
    private let secret: String?

    /// - Parameter secret: the password in use.
    init(_ secret: String?) {
        self.secret = secret.flatMap { $0.isEmpty ? nil : $0 }
    }

    func callAsFunction(_ text: String) -> String {
        let known = secret.map { text.split(separator: $0, omittingEmptySubsequences: false).joined(separator: "***") }
        return Self.withoutCredentials(Self.withoutUserInfo(known ?? text))
    }

    /// `Basic dXNlcjpwYXNz`, which is a user and a password in base 64, becomes `Basic ***`.
    private static func withoutCredentials(_ text: String) -> String {
        let parts = text.split(separator: "Basic ", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return text }
        let rest = parts.dropFirst().map { part in
            let credentials = part.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0)) }
            return credentials.count < 4 ? String(part) : "***\(part[credentials.endIndex...])"
        }
        return ([String(parts[0])] + rest).joined(separator: "Basic ")
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
