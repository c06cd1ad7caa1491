// SPDX-License-Identifier: Apache-2.0
/// The attributes of a face.
public struct Face: Sendable, Hashable, Decodable {
    /// Points by name: `left_eye`, `right_eye`, `nose_base`, `mouth_left`, `mouth_right`. Left and right are the
    /// person's.
    public let landmarks: [String: Point]?
    /// Angles in degrees.
    public let euler: Euler?
    /// The probability that the person smiles, 0...1; nil if unknown.
    public let smiling: Double?
    /// The probability that the person's left eye is open, 0...1; nil if unknown.
    public let leftEyeOpen: Double?
    /// The probability that the person's right eye is open, 0...1; nil if unknown.
    public let rightEyeOpen: Double?

    /// The angles of a head in degrees; nil if unknown.
    public struct Euler: Sendable, Hashable, Decodable {
        /// Nodding: positive is up.
        public let x: Double?
        /// Turning: positive is towards the right of the picture.
        public let y: Double?
        /// Rolling: positive is counter-clockwise in the picture.
        public let z: Double?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case x, y, z
        }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case landmarks, euler, smiling
        case leftEyeOpen = "left_eye_open"
        case rightEyeOpen = "right_eye_open"
    }
}

/// The labels of an object or a scene, best first.
public struct Labels: Sendable, Hashable, Decodable {
    /// The labels; empty if the detector does not classify.
    public let labels: [Label]
    /// For objects: `fashion_good`, `food`, `home_good`, `place`, `plant`, `unknown`.
    public let category: String?
    /// Whether the object is the single largest one near the centre.
    public let prominent: Bool?
    /// Whether this is a first answer, whose box and class may still change much.
    public let incomplete: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case labels, category, prominent, incomplete
    }

    /// A class, and how sure the detector is of it.
    public struct Label: Sendable, Hashable, Decodable {
        /// The name of the class.
        public let text: String
        /// The index of the class in the model.
        public let index: Int?
        /// 0...1.
        public let confidence: Double?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case text, index, confidence
        }
    }
}

/// The content of a barcode symbol.
public struct Barcode: Sendable, Hashable, Decodable {
    /// nil if the symbol was located but not read.
    public let format: String?
    /// nil if the bytes are not text, or the value is redacted.
    public let raw: String?
    /// The exact bytes in base64; nil for a redacted or too long value.
    public let rawBase64: String?
    /// The two or five digits beside an EAN or UPC symbol; nil if none were read, or the value is redacted.
    public let addOn: String?
    /// A text for people.
    public let display: String?
    /// The meaning of the text: `url`, `wifi`, `product`, `text`, ...
    public let valueFormat: String?
    /// The typed object in the member named by `valueFormat`; nil for formats without a typed object.
    public let value: JSONValue?
    /// The number of times the symbol was decoded.
    public let reads: Int?
    /// The number of frames that show the value together; nil if a single frame shows it.
    public let evidenceFrames: Int?
    /// The fields that were redacted.
    public let redacted: [String]?
    /// Whether `raw` and `display` are only beginnings, because the line would be longer than 64 KiB.
    public let isTruncated: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case format, raw, display, reads, redacted, truncated
        case rawBase64 = "raw_base64"
        case addOn = "add_on"
        case evidenceFrames = "evidence_frames"
        case valueFormat = "value_format"
    }

    /// Decodes `value` from the member that `value_format` names.
    public init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        format = try form.decodeIfPresent(String.self, forKey: .format)
        raw = try form.decodeIfPresent(String.self, forKey: .raw)
        rawBase64 = try form.decodeIfPresent(String.self, forKey: .rawBase64)
        addOn = try form.decodeIfPresent(String.self, forKey: .addOn)
        display = try form.decodeIfPresent(String.self, forKey: .display)
        let valueFormat = try form.decodeIfPresent(String.self, forKey: .valueFormat)
        self.valueFormat = valueFormat
        value = try valueFormat.flatMap { name in
            try decoder.container(keyedBy: DynamicKey.self)
                .decodeIfPresent(JSONValue.self, forKey: DynamicKey(stringValue: name))
        }
        reads = try form.decodeIfPresent(Int.self, forKey: .reads)
        evidenceFrames = try form.decodeIfPresent(Int.self, forKey: .evidenceFrames)
        redacted = try form.decodeIfPresent([String].self, forKey: .redacted)
        isTruncated = try form.decodeIfPresent(Bool.self, forKey: .truncated) ?? false
    }
}

/// A key that is known only from the line.
struct DynamicKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Any JSON value, for members without a type of their own.
public enum JSONValue: Sendable, Hashable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Every number is a `Double`, so an integer above 2^53 loses its last digits.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// A member of an object; nil for anything else.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The text of a string; nil for anything else.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
