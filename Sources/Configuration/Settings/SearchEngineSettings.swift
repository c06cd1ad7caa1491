// SPDX-License-Identifier: Apache-2.0
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
}

/// `[search.index]`: the object is one of those of which there are reference pictures.
package struct IndexSearchSettings: Sendable, Equatable {
    /// A file written by `glimpsed index build`.
    package var file = ""
    /// How many pictures are results. 1...20.
    package var top = 5
    /// OpenVINO device.
    package var device = "CPU"
    /// 1...256.
    package var threads = 1
}

/// `[search.http]`: a server says what the object is.
package struct HTTPSearchSettings: Sendable, Equatable {
    /// `http://` or `https://`, never with a user or a password inside: the loader refuses those.
    package var url = ""
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

extension ClassifierSearchSettings: ComputingTable {
    package static let standard = Self()

    package static let keys = rows(
        of: Self.init(model:top:device:threads:),
        .init("model", \.model, .nonEmptyText, .worker, "a classifier's name, or `auto`: the best installed"),
        .init("top", \.top, .integer(1...20), .worker, "number of labels in the result"),
        .device, .threads)

    init(_ reader: TableReader) {
        decode(reader)
        reader.finish()
    }
}

extension IndexSearchSettings: ComputingTable {
    package static let standard = Self()

    package init(file: String) {
        self = .standard
        self.file = file
    }

    package static let keys = rows(
        of: Self.init(file:top:device:threads:),
        .init(
            "file", \.file, .file, .worker, required: #"such as file = "shop.index""#,
            "the index file of `glimpsed index build`"),
        .init("top", \.top, .integer(1...20), .worker, "number of pictures in the result"),
        .device, .threads)

    init(_ reader: TableReader) {
        self.init()
        decode(reader)
        reader.finish()
    }
}

extension HTTPSearchSettings: KeyedTable {
    package static let standard = Self()

    package init(url: String) {
        self = .standard
        self.url = url
    }

    package static let keys = rows(
        of: Self.init(url:token:retries:redirects:privateAddresses:caFile:),
        .init(
            "url", \.url, .httpAddress, .worker, required: #"such as url = "https://search.example/v1""#,
            "the server's address, without a user or a password"),
        .secret("token", \.token),
        .init(
            "retries", \.retries, .integer(0...10), .worker, "further attempts within the search's time"),
        .init("redirects", \.redirects, .integer(0...5), .worker, "number of redirects to follow"),
        .init(
            "private_addresses", \.privateAddresses, .boolean, .worker,
            "allow addresses outside of the public internet"),
        .init(
            "ca_file", optional: \.caFile, .file, .worker,
            "PEM file of the certificates that are trusted instead of the system's"))

    init(_ reader: TableReader) {
        self.init()
        decode(reader)
        _ = PasswordSource.check(reader, "token")
        if token != nil, !url.isEmpty, address(url, schemes: ["https"]) == nil, !privateAddresses {
            reader.report("url", "a token is sent over https:// only", suggestion: "or private_addresses = true")
        }
        reader.finish()
    }
}

extension ValueFormat<String> {
    /// The address is in no message: some services take a key in the path or the query.
    fileprivate static var httpAddress: Self {
        nonEmptyText.checked("address") { text throws(ValueProblem) in
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
        }
    }
}
