// SPDX-License-Identifier: Apache-2.0
import ModelCatalog

extension ModelFile {
    init?(_ reader: TableReader) {
        self.init(keysOf: reader)
        reader.finish()
        if name.isEmpty { return nil }
    }

    /// The keys `file`, `url`, `bytes` and `sha256`; `name` is empty when an error has been reported.
    fileprivate init(keysOf reader: TableReader) {
        self.init(name: "")
        reader.read("url", .webAddress, into: &url)
        reader.read("bytes", .integer(1...(1 << 40)), into: &bytes)
        reader.read("sha256", .sha256, into: &sha256)
        if reader.has("file") {
            reader.read("file", .fileName, into: &name)
        } else if let url, let last = ModelFile.lastPart(of: url) {
            reader.ignore("file")
            name = last
        } else {
            reader.report("file", "the key file is missing", suggestion: "the file's name in the folder of models")
        }
    }

    /// nil when it is no file's name.
    private static func lastPart(of url: String) -> String? {
        let last = FilePath.name(of: String(url.prefix { $0 != "?" && $0 != "#" }))
        return ModelName.problem(of: last) == nil ? last : nil
    }
}

extension ModelLabels {
    /// `list = [...]`, or a file's keys and `format`.
    init(_ reader: TableReader) {
        self = .none
        if let list = reader.value("list", .list(.nonEmptyText)) {
            self = .list(list)
            for key in ["file", "url", "bytes", "sha256", "format"] where reader.has(key) {
                reader.report(key, "\(key) does not apply where labels are a list")
            }
        } else if !reader.has("list") {
            var format = Format.lines
            reader.read("format", .choice(), into: &format)
            let file = ModelFile(keysOf: reader)
            if !file.name.isEmpty { self = .file(file, format) }
        }
        reader.finish()
    }
}

extension ValueFormat<String> {
    fileprivate static var fileName: Self {
        text.checked { name throws(ValueProblem) in
            if let problem = ModelName.problem(of: name) { throw problem }
        }
    }

    fileprivate static var webAddress: Self {
        text.checked { address throws(ValueProblem) in
            guard address.hasPrefix("https://") || address.hasPrefix("http://"), address.utf8.count <= 2048,
                address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw .init("must be an http:// or https:// address") }
        }
    }

    fileprivate static var sha256: Self {
        text.map(back: { $0 }) { text throws(ValueProblem) in
            let digest = text.lowercased()
            guard digest.utf8.count == 64, digest.utf8.allSatisfy("0123456789abcdef".utf8.contains) else {
                throw .init("must be 64 hexadecimal digits, not \(quoted(text))")
            }
            return digest
        }
    }
}
