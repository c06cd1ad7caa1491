/// `[search.classifier]`: the object is what a classifier of the catalogue says it is.
package struct ClassifierSearchSettings: Sendable, Equatable {
    /// A catalogue name or `auto` (the best installed).
    package var model = "auto"
    /// How many labels are results. 1...20.
    package var top = 5
    /// OpenVINO device.
    package var device = "CPU"
    /// 1...256.
    package var threads = 1

    package init() {}
}

/// `[search.index]`: the object is one of those of which there are reference pictures.
package struct IndexSearchSettings: Sendable, Equatable {
    /// What `glimpsed index build` wrote.
    package var file: String
    /// How many pictures are results. 1...20.
    package var top = 5
    /// OpenVINO device.
    package var device = "CPU"
    /// 1...256.
    package var threads = 1

    package init(file: String) { self.file = file }
}

/// `[search.http]`: a server says what the object is.
package struct HTTPSearchSettings: Sendable, Equatable {
    /// `http://` or `https://`, never with a user or a password inside: the loader refuses those.
    package var url: String
    /// Sent as `Authorization: Bearer`.
    package var token: PasswordSource?
    /// After the first try, within the search's time. 0...10.
    package var retries = 2
    /// How many are followed. 0...5.
    package var redirects = 0
    /// Whether addresses that are not of the public internet may be spoken to.
    package var privateAddresses = false
    /// PEM file of the certificates that are trusted instead of the system's.
    package var caFile: String?

    package init(url: String) { self.url = url }
}

/// Prints scheme and host only: some services take a key in the path or the query.
extension HTTPSearchSettings: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return "(no address)" }
        return "\(parts[0])//\(parts[2].prefix { !"/?#".contains($0) })"
    }

    package var debugDescription: String { description }
}

extension ClassifierSearchSettings {
    init(_ reader: TableReader) {
        reader.read("model", .nonEmptyText, into: &model)
        reader.read("top", .integer(1...20), into: &top)
        reader.read("device", .nonEmptyText, into: &device)
        reader.read("threads", .integer(1...256), into: &threads)
        reader.finish()
    }
}

extension IndexSearchSettings {
    /// nil only when an error has been reported.
    init?(_ reader: TableReader) {
        let path = reader.required("file", .path, example: "\"shop.index\"")
        self.init(file: path.map { reader.resolve($0, key: "file") } ?? "")
        reader.read("top", .integer(1...20), into: &top)
        reader.read("device", .nonEmptyText, into: &device)
        reader.read("threads", .integer(1...256), into: &threads)
        reader.finish()
        if path == nil { return nil }
    }
}

extension HTTPSearchSettings {
    /// nil only when an error has been reported.
    init?(_ reader: TableReader) {
        let url = reader.required("url", .httpAddress, example: "\"https://search.example/v1\"")
        self.init(url: url ?? "")
        token = PasswordSource(reader, of: "token")
        reader.read("retries", .integer(0...10), into: &retries)
        reader.read("redirects", .integer(0...5), into: &redirects)
        reader.read("private_addresses", .boolean, into: &privateAddresses)
        caFile = reader.value("ca_file", .path).map { reader.resolve($0, key: "ca_file") }
        if token != nil, let url, address(url, schemes: ["https"]) == nil, !privateAddresses {
            reader.report("url", "a token is sent over https:// only", suggestion: "or private_addresses = true")
        }
        reader.finish()
        if url == nil { return nil }
    }
}

extension ValueFormat<String> {
    /// The address is in no message: some services take a key in the path or the query.
    fileprivate static var httpAddress: Self {
        nonEmptyText.map { text throws(ValueProblem) in
            guard let rest = address(text, schemes: ["http", "https"]) else {
                throw .init("must begin with http:// or https://")
            }
            guard !hasUserInfo(rest) else {
                throw .init(
                    "must not have a user or a password in it",
                    suggestion: "use token_file, token_env or token_credential")
            }
            let host = rest.prefix { !"/?#".contains($0) }
            guard !host.isEmpty, !host.hasPrefix(":"), !rest.contains(where: { $0.isWhitespace || $0.isNewline }) else {
                throw .init("must be an address such as https://search.example/v1")
            }
            return text
        }
    }
}
