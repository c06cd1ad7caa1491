// SPDX-License-Identifier: Apache-2.0
import Observations

/// One detector of a pipeline: its name, and the settings of its kind.
package struct ConfiguredDetector: Sendable, Equatable {
    /// The name in events and commands: that of the kind, or the `name` of a `[[detector]]` table.
    package var name: String
    package var settings: Settings

    package enum Settings: Sendable, Equatable {
        case face(FaceSettings)
        case barcode(BarcodeSettings)
        case object(ObjectSettings)
        case scene(SceneSettings)
        case external(ExternalSettings)

        /// - Returns: nil for a kind without a detector of this project.
        init?(_ kind: FeatureKind, _ table: TableReader) {
            switch kind {
            case .face: self = .face(FaceSettings(table))
            case .barcode: self = .barcode(BarcodeSettings(table))
            case .object: self = .object(ObjectSettings(table))
            case .scene: self = .scene(SceneSettings(table))
            case .custom: return nil
            }
        }
    }

    /// - Parameter name: the kind's name if nil.
    package init(_ settings: Settings, name: String? = nil) {
        self.settings = settings
        self.name = ""
        self.name = name ?? kind.rawValue
    }

    package var table: any DetectorTable {
        switch settings {
        case .face(let table): table
        case .barcode(let table): table
        case .object(let table): table
        case .scene(let table): table
        case .external(let table): table
        }
    }

    package var kind: FeatureKind { table.kind }

    /// Whether its features have labels.
    var givesLabels: Bool {
        switch settings {
        case .object(let object): object.classify
        case .scene: true
        case .face, .barcode, .external: false
        }
    }
}

extension ConfiguredDetector {
    /// Each detector has a thread and a tracker of its own.
    private static let most = 16

    /// The tables `[face]`, `[barcode]`, `[object]`, `[scene]`, then the `[[detector]]` tables in the file's order,
    /// then the `[external.NAME]` tables by name.
    static func list(_ reader: TableReader) -> [ConfiguredDetector] {
        let named = FeatureKind.builtIn.compactMap { kind in
            reader.table(kind.rawValue).flatMap { Settings(kind, $0) }.map { ConfiguredDetector($0) }
        }
        let tables = reader.tables("detector")
        if tables.count > most { reader.report("detector", "detectors must be at most \(most), not \(tables.count)") }
        var names = Set<String>()
        let further = tables.compactMap { table in
            ConfiguredDetector(table)
        }
        for (table, detector) in zip(tables, further) where !names.insert(detector.name).inserted {
            table.report("name", "name \(quoted(detector.name)) is another detector's too")
        }
        return named + further + externals(reader, others: names)
    }

    private static func externals(_ reader: TableReader, others: Set<String>) -> [ConfiguredDetector] {
        guard let table = reader.table("external") else { return [] }
        let names = table.keys
        if names.count > most { reader.report("external", "programs must be at most \(most), not \(names.count)") }
        return names.compactMap { name in
            guard let settings = table.table(name).map(ExternalSettings.init) else { return nil }
            do throws(ValueProblem) {
                _ = try ValueFormat.detectorName.read(.string(name))
            } catch {
                table.report(name, "the name of a program \(error.text)")
            }
            if others.contains(name) { table.report(name, "name \(quoted(name)) is another detector's too") }
            return ConfiguredDetector(.external(settings), name: name)
        }
    }

    /// Reads a `[[detector]]` table.
    private init?(_ table: TableReader) {
        let name = table.required("name", .detectorName, example: #""plates""#)
        let kind = table.required("kind", .builtInKind, example: #""object""#)
        // Without a kind no key can be judged.
        guard let kind, let settings = Settings(kind, table) else { return nil }
        self.init(settings, name: name)
    }
}

extension ValueFormat<String> {
    fileprivate static var detectorName: Self {
        let form = "1 to 32 characters of a-z, 0-9 and _ that begin with a letter"
        return text.checked(form) { name throws(ValueProblem) in
            guard !FeatureKind.fields.contains(name) else {
                throw .init("must not be \(quoted(name)), the name of a field of events")
            }
            guard let kind = FeatureKind(rawValue: name) else { throw .init("must be \(form), not \(quoted(name))") }
            // The name of a kind is its own table's.
            guard !kind.isBuiltIn else { throw .init("must not be \(quoted(name)), the name of a kind") }
        }
    }
}

extension PipelineSettings {
    /// The detectors that run.
    package var runningDetectors: [ConfiguredDetector] { detectors.filter(\.table.enabled) }

    /// The first table of a type; nil if it is absent.
    package subscript<Table: DetectorTable>(_ type: Table.Type) -> Table? {
        detectors.lazy.compactMap { $0.table as? Table }.first
    }
}
