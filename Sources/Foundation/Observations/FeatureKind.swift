// SPDX-License-Identifier: Apache-2.0
/// The kind of a feature: a built-in kind, or the kind that another detector names.
///
/// Its name is the name of the member that describes the feature in an event line. So no field of a track's lines can
/// be a kind.
public enum FeatureKind: RawRepresentable, Sendable, Hashable, Codable {
    /// A kind with a type of its own in `Detection.Content`.
    case face, barcode, object, scene
    /// A kind that is not built in. `FeatureKind(rawValue:)` makes it.
    case custom(Name)

    /// The kinds of the built-in detectors, in the order in which a frame's events are written.
    public static let builtIn: [FeatureKind] = [.face, .barcode, .object, .scene]

    /// - Parameter rawValue: a letter of a-z, then up to 31 of a-z, 0-9 and `_`; no field of a track's lines.
    public init?(rawValue: String) {
        switch rawValue {
        case "face": self = .face
        case "barcode": self = .barcode
        case "object": self = .object
        case "scene": self = .scene
        default:
            guard let name = Name(rawValue), !Self.fields.contains(rawValue) else { return nil }
            self = .custom(name)
        }
    }

    /// The name, as events and configuration write it.
    public var rawValue: String {
        switch self {
        case .face: "face"
        case .barcode: "barcode"
        case .object: "object"
        case .scene: "scene"
        case .custom(let name): name.text
        }
    }

    /// Whether one of the built-in detectors finds features of this kind.
    public var isBuiltIn: Bool { if case .custom = self { false } else { true } }

    public static func == (one: FeatureKind, other: FeatureKind) -> Bool {
        switch (one, other) {
        case (.face, .face), (.barcode, .barcode), (.object, .object), (.scene, .scene): true
        case (.custom(let one), .custom(let other)): one == other
        default: false
        }
    }

    /// The fields of a track's lines. A test compares them with the schema of these lines.
    package static let fields: Set<String> = [
        "v", "type", "seq", "run_id", "pipeline", "tags", "time", "clock", "frame", "detector", "kind", "track", "box",
        "nbox", "predicted", "corners", "velocity", "smoothed_box", "confidence", "weak", "count", "coalesced", "zones",
        "stages_us", "reused", "reason", "duration_ms", "frames", "last", "best",
    ]

    /// A name that can be a kind's.
    public struct Name: Sendable, Hashable {
        /// A letter of a-z, then up to 31 of a-z, 0-9 and `_`.
        public let text: String

        fileprivate init?(_ text: String) {
            let utf8 = text.utf8
            guard let first = utf8.first, (0x61...0x7A).contains(first), utf8.count <= 32,
                utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
            else { return nil }
            self.text = text
        }
    }
}

extension FeatureKind: CustomStringConvertible {
    public var description: String { rawValue }
}
