import Observations

/// One detector of a pipeline: its kind, and what its table says.
package enum ConfiguredDetector: Sendable, Equatable {
    case face(FaceSettings)
    case barcode(BarcodeSettings)
    case object(ObjectSettings)
    case scene(SceneSettings)

    /// Reads the table of a kind; nil if it is absent.
    init?(_ kind: FeatureKind, _ reader: TableReader) {
        guard let table = reader.table(kind.rawValue) else { return nil }
        switch kind {
        case .face: self = .face(FaceSettings(table))
        case .barcode: self = .barcode(BarcodeSettings(table))
        case .object: self = .object(ObjectSettings(table))
        case .scene: self = .scene(SceneSettings(table))
        }
    }

    package var table: any DetectorTable {
        switch self {
        case .face(let table): table
        case .barcode(let table): table
        case .object(let table): table
        case .scene(let table): table
        }
    }

    package var kind: FeatureKind { type(of: table).kind }

    /// As events and commands call it.
    package var name: String { kind.rawValue }
}

extension PipelineSettings {
    /// The detectors that run.
    package var runningDetectors: [ConfiguredDetector] { detectors.filter(\.table.enabled) }

    /// The table of a type; nil if it is absent.
    package subscript<Table: DetectorTable>(_ type: Table.Type) -> Table? {
        detectors.lazy.compactMap { $0.table as? Table }.first
    }
}
