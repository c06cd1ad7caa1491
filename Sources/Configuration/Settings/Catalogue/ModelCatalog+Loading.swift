// SPDX-License-Identifier: Apache-2.0
import ModelCatalog

extension ModelCatalog {
    /// Reads a catalogue file: a table for each model, best first. Throws every problem of the file at once; a file of
    /// more than 1 MiB is refused.
    package static func load(file: String) throws(ConfigurationErrors) -> ModelCatalog {
        try parse(bytes: BoundedFile.bytes(of: file), file: file)
    }

    /// `file` is what errors call it.
    package static func parse(_ text: String, file: String? = nil) throws(ConfigurationErrors) -> ModelCatalog {
        try parse(bytes: Array(text.utf8), file: file)
    }

    package static func parse(bytes: [UInt8], file: String? = nil) throws(ConfigurationErrors) -> ModelCatalog {
        let reader = try TOMLDocument(bytes, file: file).reader
        // A table of TOML has no order; its file has.
        let names = reader.keys.sorted { (line(of: $0), $0) < (line(of: $1), $1) }
        func line(of name: String) -> Int { reader.context.line(of: [name]) ?? 0 }
        let entries = names.compactMap { name in
            reader.table(name).flatMap { ModelEntry($0, name: name) }
        }
        try reader.context.throwIfAny()
        return ModelCatalog(entries)
    }
}
