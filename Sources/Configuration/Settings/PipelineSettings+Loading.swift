// SPDX-License-Identifier: Apache-2.0
import Observations

extension PipelineSettings {
    /// Reads `pipelines/NAME.toml`. Throws every problem of the file at once; a file of more than 1 MiB is refused.
    ///
    /// `source` is what `--source` said and replaces the whole `[source]` table; `overrides` are what `--set` said, in
    /// that order, on top of both. `warn` gets each deprecated key.
    package static func load(
        file: String, source: String? = nil, overrides: [(key: String, value: String)] = [],
        warn: (ConfigurationError) -> Void = { _ in }
    ) throws(ConfigurationErrors) -> PipelineSettings {
        try parse(bytes: BoundedFile.bytes(of: file), file: file, source: source, overrides: overrides, warn: warn)
    }

    /// `file` is what errors call it, where relative paths in it start, and whose name is the default of `name`
    /// (`pipeline` if nil).
    package static func parse(
        _ text: String, file: String? = nil, source: String? = nil, overrides: [(key: String, value: String)] = []
    ) throws(ConfigurationErrors) -> PipelineSettings {
        try parse(bytes: Array(text.utf8), file: file, source: source, overrides: overrides)
    }

    package static func parse(
        bytes: [UInt8], file: String? = nil, source: String? = nil, overrides: [(key: String, value: String)] = [],
        warn: (ConfigurationError) -> Void = { _ in }
    ) throws(ConfigurationErrors) -> PipelineSettings {
        var document = try TOMLDocument(bytes, file: file)
        if let source {
            do throws(ConfigurationError) {
                let members = try SourceArgument(source).table
                document.replace(table: "source", by: members, argument: SourceArgument.name)
            } catch {
                throw ConfigurationErrors([error])
            }
        }
        try document.set(overrides)
        var warnings: [ConfigurationError] = []
        let settings = try read(document, file: file, &warnings)
        for warning in warnings { warn(warning) }
        return settings
    }

    static func read(_ document: TOMLDocument, file: String?) throws(ConfigurationErrors) -> PipelineSettings {
        var warnings: [ConfigurationError] = []
        return try read(document, file: file, &warnings)
    }

    /// - Parameter warnings: gets one entry for each deprecated key.
    static func read(
        _ document: TOMLDocument, file: String?, _ warnings: inout [ConfigurationError]
    ) throws(ConfigurationErrors) -> PipelineSettings {
        let reader = document.reader
        let settings = PipelineSettings(reader, file: file)
        warnings += reader.context.warnings
        try reader.context.throwIfAny()
        return settings
    }

    private init(_ reader: TableReader, file: String?) {
        self.init()
        self.file = file
        decode(reader)
        if let table = reader.table("source") {
            source = SourceSettings(table)
        } else if !reader.has("source") {
            reader.context.report([], "there is no [source] table", suggestion: "it says where the frames come from")
        }
        detectors = ConfiguredDetector.list(reader)
        reader.context.kinds.formUnion(detectors.map(\.kind))
        zones = Zone.list(reader)
        lines = CrossingLine.list(reader, haveLabels: runningDetectors.contains(where: \.givesLabels))
        if let table = reader.table("snapshot") {
            let snapshot = SnapshotSettings(table)
            table.checkKinds(snapshot.kinds)
            self.snapshot = snapshot
        }
        source.masks = Mask.list(reader)
        if let table = reader.table("privacy") {
            privacy = PrivacySettings(table)
            privacy.check(self, table)
        }
        if let table = reader.table("clip") {
            let clip = ClipSettings(table)
            clip.check(self, table)
            self.clip = clip
        }
        if let table = reader.table("search") {
            let search = SearchSettings(table)
            search.check(self, table)
            self.search = search
        }
        reader.finish(hints: ["tracking": "it belongs to a detector: [face.tracking], [barcode.tracking], ..."])
    }
}

extension PipelineSettings: KeyedTable {
    package static let standard = Self()

    /// The keys that stand in no table.
    package static let keys = rows(
        of: Self.init(name:enabled:tags:source:detectors:zones:lines:snapshot:clip:search:privacy:file:),
        .init(
            "name", \.name, values: "1 to 64 letters, digits, `.`, `_` or `-`", .worker,
            "unique; the file's name by default"
        ) { @Sendable reader, _, settings in settings.name = name(reader) },
        .init("enabled", \.enabled, .boolean, .worker, "whether the daemon starts it"),
        .init(
            "tags", \.tags, values: "table of text, at most 32", .worker, "copied into every event",
            write: { @Sendable _ in .table([:]) }
        ) { @Sendable reader, key, settings in settings.tags = tags(reader.table(key)) },
        .noKey, .noKey, .noKey, .noKey, .noKey, .noKey, .noKey, .noKey, .noKey)

    private static func name(_ reader: TableReader) -> String {
        if let name = reader.value("name", .pipelineName) { return name }
        guard let file = reader.context.file, !reader.has("name") else { return "pipeline" }
        var name = FilePath.name(of: file)
        if FilePath.suffix(of: name) == "toml" { name.removeLast(".toml".count) }
        do throws(ValueProblem) {
            return try ValueFormat.pipelineName.read(.string(name))
        } catch {
            reader.report("name", "the file's name as the pipeline's \(error.text)", suggestion: "set the key name")
            return name
        }
    }

    /// Every event carries them, so they are kept small: 32 tags, keys of 64 bytes, values of 256.
    private static func tags(_ reader: TableReader?) -> [String: String] {
        guard let reader else { return [:] }
        var tags: [String: String] = [:]
        if reader.keys.count > 32 {
            reader.context.report(reader.path, "tags must be at most 32, not \(reader.keys.count)")
        }
        for key in reader.keys {
            if key.isEmpty || key.utf8.count > 64 {
                reader.report(key, "a tag's key must be 1 to 64 bytes, not \(key.utf8.count)")
            } else if let value = reader.value(key, .tag) {
                tags[key] = value
            }
        }
        return tags
    }
}

extension ValueFormat<String> {
    /// It stands in events, paths, topics and commands.
    fileprivate static var pipelineName: Self {
        text.checked { name throws(ValueProblem) in
            let isAllowed = name.utf8.allSatisfy { byte in
                let scalar = Unicode.Scalar(byte)
                return scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
            }
            guard isAllowed, (1...64).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix("-") else {
                throw .init(
                    "must be 1 to 64 letters, digits, '.', '_' or '-' that begin with a letter, digit or '_', not "
                        + quoted(name))
            }
        }
    }

    fileprivate static var tag: Self {
        text.checked { value throws(ValueProblem) in
            guard value.utf8.count <= 256 else {
                throw .init("must be at most 256 bytes, not \(value.utf8.count)")
            }
        }
    }
}
