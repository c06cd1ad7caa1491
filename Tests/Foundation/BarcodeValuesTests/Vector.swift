// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import BarcodeValues

/// A payload from a defining document, and its meaning.
struct Vector: Sendable, CustomTestStringConvertible {
    /// Document and section.
    let source: String
    let text: String
    var format = Barcode.Format.qrCode
    var symbologyIdentifier = ""
    let value: BarcodeValueFormat
    /// The typed object, as JSON in the order of its fields; "" for formats without one.
    let fields: String

    init(_ source: String, _ text: String, _ value: BarcodeValueFormat, _ fields: String = "") {
        self.source = source
        self.text = text
        self.value = value
        self.fields = fields
    }

    init(
        _ source: String, _ text: String, _ format: Barcode.Format, _ symbologyIdentifier: String,
        _ value: BarcodeValueFormat, _ fields: String = ""
    ) {
        self.init(source, text, value, fields)
        self.format = format
        self.symbologyIdentifier = symbologyIdentifier
    }

    var barcode: Barcode {
        Barcode(
            format: format, raw: text, bytes: Array(text.utf8), corners: .zero,
            symbologyIdentifier: symbologyIdentifier)
    }

    var testDescription: String { source }

    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let meaning = barcode.value
        #expect(meaning?.format == value, "\(source)", sourceLocation: sourceLocation)
        let said = meaning?.fields?.json ?? ""
        #expect(said == fields, "\(source)", sourceLocation: sourceLocation)
        // The names in redactions and in the schema.
        let names = Set(meaning?.fields?.fields.map(\.name) ?? [])
        #expect(names.isSubset(of: value.fieldNames), "\(source)", sourceLocation: sourceLocation)
    }
}

extension Quadrilateral {
    static var zero: Self {
        let origin = Point(x: 0, y: 0)
        return Self(topLeft: origin, topRight: origin, bottomRight: origin, bottomLeft: origin)
    }
}

extension ValueFields {
    var json: String { "{" + fields.map { "\"\($0.name)\":\($0.content.json)" }.joined(separator: ",") + "}" }
}

extension ValueFields.Content {
    fileprivate var json: String {
        switch self {
        case .text(let text): quoted(text)
        case .integer(let value): String(value)
        case .number(let value): value.description
        case .flag(let value): String(value)
        case .object(let object): object.json
        case .texts(let texts): "[" + texts.map(quoted).joined(separator: ",") + "]"
        case .objects(let objects): "[" + objects.map(\.json).joined(separator: ",") + "]"
        }
    }

    private func quoted(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\r": "\\r"]
        return "\"" + text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() + "\""
    }
}
