// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A feature of a kind that is not built in, as its detector describes it.
public struct CustomFeature: Sendable, Equatable, Codable {
    /// A kind that is not built in.
    public let kind: FeatureKind
    /// The string `value` of the attributes; nil without one. Two features with different values are two things, as two
    /// barcodes are.
    public let value: String?
    /// A JSON object on one line, its members sorted by name; at most `mostAttributeBytes` of UTF-8.
    public let attributes: String
    /// The corners of the feature, where its detector knows more than a box. Pixels of the upright picture.
    public let corners: Quadrilateral?

    /// The attributes are twice in a `completed` line of at most 64 KiB.
    public static let mostAttributeBytes = 16 << 10

    /// The reason why a feature cannot be made.
    public enum Problem: Error, Equatable, CustomStringConvertible {
        /// Features of built-in kinds have types of their own.
        case kindIsBuiltIn(FeatureKind)
        /// The attributes are no valid JSON, or another value than an object.
        case notAnObject
        /// The attributes exceed `mostAttributeBytes`, as given or after sorting.
        case tooLong(bytes: Int)

        public var description: String {
            switch self {
            case .kindIsBuiltIn(let kind): "\(kind.rawValue) is a built-in kind"
            case .notAnObject: "attributes must be a JSON object"
            case .tooLong(let bytes):
                "attributes have \(bytes) bytes; at most \(CustomFeature.mostAttributeBytes) are valid"
            }
        }
    }

    /// - Parameter attributes: a value that is encoded as a JSON object.
    public init(kind: FeatureKind, attributes: some Encodable, corners: Quadrilateral? = nil) throws {
        try self.init(kind: kind, json: Array(JSONEncoder().encode(attributes)), corners: corners)
    }

    /// - Parameter json: the attributes as JSON.
    public init(
        kind: FeatureKind, json: [UInt8] = Array("{}".utf8), corners: Quadrilateral? = nil
    ) throws(Problem) {
        guard !kind.isBuiltIn else { throw .kindIsBuiltIn(kind) }
        guard json.count <= Self.mostAttributeBytes else { throw .tooLong(bytes: json.count) }
        guard let text = try? JSONDecoder().decode(JSONText.self, from: Data(json)).text, text.hasPrefix("{") else {
            throw .notAnObject
        }
        // Sorting and escaping may change the length.
        guard text.utf8.count <= Self.mostAttributeBytes else { throw .tooLong(bytes: text.utf8.count) }
        self.kind = kind
        self.corners = corners
        attributes = text
        value = (try? JSONDecoder().decode(Payload.self, from: Data(text.utf8)))?.value
    }

    private struct Payload: Decodable {
        var value: String?
    }
}
