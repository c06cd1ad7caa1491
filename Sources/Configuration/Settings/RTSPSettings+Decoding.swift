// SPDX-License-Identifier: Apache-2.0
extension PasswordSource {
    /// A way to say where a secret is to be had: its key's ending, how its value is read, and what that is.
    typealias Way = (
        key: String, format: ValueFormat<String>, source: @Sendable (String) -> PasswordSource, meaning: String
    )

    static var ways: [Way] {
        [
            ("file", .file, { .file($0) }, "is the first line of this file"),
            ("env", .nonEmptyText, { .environment($0) }, "is in this variable of the environment"),
            ("credential", .credentialName, { .credential($0) }, "is in this credential of systemd"),
        ]
    }

    static func keys(of secret: String) -> [String] { ways.map { "\(secret)_\($0.key)" } }

    /// - Returns: the first key of the secret that is given. Several are reported.
    static func check(_ reader: TableReader, _ secret: String) -> String? {
        let given = keys(of: secret).filter { reader.has($0) }
        if given.count > 1 {
            reader.report(given[1], "\(given[1]) and \(given[0]) are both given", suggestion: "keep one of them")
        }
        return given.first
    }
}

extension ValueFormat<String> {
    /// The address is in no message: some cameras take a password in the path or the query.
    static var rtspAddress: Self {
        nonEmptyText.checked("address") { text throws(ValueProblem) in
            guard let rest = address(text, schemes: ["rtsp", "rtsps"]) else {
                throw .init("must begin with rtsp:// or rtsps://")
            }
            guard !hasUserInfo(rest) else {
                throw .init(
                    "must not have a user or a password in it",
                    suggestion: "use the keys user and password_file, password_env or password_credential")
            }
            let host = rest.prefix { !"/?#".contains($0) }
            guard !host.isEmpty, !host.hasPrefix(":"), !rest.contains(where: { $0.isWhitespace || $0.isNewline }) else {
                throw .init("must be an address such as rtsp://camera/stream")
            }
        }
    }

    /// systemd puts it beside others in one folder: a file's name.
    fileprivate static var credentialName: Self {
        nonEmptyText.checked("name") { text throws(ValueProblem) in
            guard !text.contains("/"), text != ".", text != ".." else {
                throw .init("must be a credential's name, not \(quoted(text))", suggestion: "without a path")
            }
        }
    }
}

/// The part of an address after `scheme://`, whose case does not matter; nil for another scheme.
func address(_ text: String, schemes: [String]) -> Substring? {
    guard let end = text.firstRange(of: "://") else { return nil }
    return schemes.contains(text[..<end.lowerBound].lowercased()) ? text[end.upperBound...] : nil
}

/// Whether an address without its scheme has a `user@` or `user:password@`. A password may hold a slash, against the
/// rules, so that an `@` anywhere before the query counts.
func hasUserInfo(_ rest: Substring) -> Bool {
    rest.prefix { $0 != "?" }.contains("@")
}
