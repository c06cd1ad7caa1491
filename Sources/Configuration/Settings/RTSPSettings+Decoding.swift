extension RTSPSettings {
    init?(_ reader: TableReader) {
        let url = reader.required("url", .rtspAddress, example: "\"rtsp://camera/stream\"")
        self.init(url: url ?? "")
        reader.read("user", .nonEmptyText, into: &user)
        password = PasswordSource(reader, of: "password")
        reader.read("transport", .choice(), into: &transport)
        reader.read("latency", .duration(.zero...(.seconds(60))), into: &latency)
        let passwordKey = PasswordSource.keys(of: "password").first { reader.has($0) }
        if let passwordKey, !reader.has("user") {
            reader.report(passwordKey, "\(passwordKey) needs the key user", suggestion: "whose password is it?")
        }
        if passwordKey == nil, reader.has("user") {
            let keys = PasswordSource.keys(of: "password").joined(separator: ", ")
            reader.report("user", "user needs a password", suggestion: "exactly one of \(keys)")
        }
        if url == nil { return nil }
    }
}

extension PasswordSource {
    /// The keys that say where a secret is to be had.
    static func keys(of secret: String) -> [String] { ["file", "env", "credential"].map { "\(secret)_\($0)" } }

    /// nil if none is given or it is wrong (then reported).
    init?(_ reader: TableReader, of secret: String) {
        let keys = Self.keys(of: secret)
        let file = reader.value(keys[0], .path).map { reader.resolve($0, key: keys[0]) }
        let variable = reader.value(keys[1], .nonEmptyText)
        let credential = reader.value(keys[2], .credentialName)
        let given = keys.filter { reader.has($0) }
        if given.count > 1 {
            reader.report(given[1], "\(given[1]) and \(given[0]) are both given", suggestion: "keep one of them")
        }
        if let file {
            self = .file(file)
        } else if let variable {
            self = .environment(variable)
        } else if let credential {
            self = .credential(credential)
        } else {
            return nil
        }
    }
}

extension ValueFormat<String> {
    /// The address is in no message: some cameras take a password in the path or the query.
    static var rtspAddress: Self {
        nonEmptyText.map { text throws(ValueProblem) in
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
            return text
        }
    }

    /// systemd puts it beside others in one folder: a file's name.
    fileprivate static var credentialName: Self {
        nonEmptyText.map { text throws(ValueProblem) in
            guard !text.contains("/"), text != ".", text != ".." else {
                throw .init("must be a credential's name, not \(quoted(text))", suggestion: "without a path")
            }
            return text
        }
    }
}

/// What follows `scheme://` in any case; nil for another scheme.
func address(_ text: String, schemes: [String]) -> Substring? {
    guard let end = text.firstRange(of: "://") else { return nil }
    return schemes.contains(text[..<end.lowerBound].lowercased()) ? text[end.upperBound...] : nil
}

/// Whether an address without its scheme has a `user@` or `user:password@`. A password may hold a slash, against the
/// rules, so that an `@` anywhere before the query counts.
func hasUserInfo(_ rest: Substring) -> Bool {
    rest.prefix { $0 != "?" }.contains("@")
}
