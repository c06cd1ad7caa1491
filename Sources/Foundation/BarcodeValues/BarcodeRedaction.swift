// SPDX-License-Identifier: Apache-2.0
import Observations

/// A part of barcodes' values that never reaches an event: `wifi` (all of such a value) or `wifi.password` (that field
/// of it).
public struct BarcodeRedaction: Sendable, Hashable {
    public var format: BarcodeValueFormat
    /// As the typed object of the events spells it; nil: the whole value.
    public private(set) var field: String?

    /// All of such a value.
    public init(_ format: BarcodeValueFormat) {
        self.format = format
    }

    /// nil when the format has no field of that name. `driver_license.number` is `driver_license.license_number`.
    public init?(_ format: BarcodeValueFormat, field: String) {
        let name = format == .driverLicense && field == "number" ? "license_number" : field
        guard format.fieldNames.contains(name) else { return nil }
        self.format = format
        self.field = name
    }
}

/// A barcode's text as subscribers may see it.
public struct BarcodeContent: Sendable, Equatable {
    /// nil: the payload is not text, or values are not wanted.
    public var format: BarcodeValueFormat?
    /// The typed object; nil without one.
    public var fields: ValueFields?
    /// nil: the payload is not text, or nothing of it may be shown.
    public var display: String?
    /// The formats and fields that were taken out. If the list has an entry, the raw value must not be shown either:
    /// not as text, as bytes, or as their size or hash. A short secret can be found by trying.
    public var redacted: [String] = []
}

/// How barcodes are reported: with typed values or without, and with which redactions.
public struct BarcodeReporting: Sendable, Equatable {
    /// Whether values get a format and fields. Values are parsed for redactions too, whatever this says.
    public var parsesValues: Bool
    /// The formats and fields that no event may contain.
    public var redactions: Set<BarcodeRedaction>

    public init(parsesValues: Bool = true, redactions: Set<BarcodeRedaction> = []) {
        self.parsesValues = parsesValues
        self.redactions = redactions
    }

    /// A redaction covers every payload of its format, whether or not the field is in the payload. It also covers a
    /// payload that has the format's mark, but is invalid and therefore counts as text. A secret in a damaged form
    /// stays a secret, so such a payload loses everything.
    public func content(of barcode: Barcode) -> BarcodeContent {
        guard parsesValues || !redactions.isEmpty else { return BarcodeContent(display: barcode.raw) }
        let value = barcode.value
        var content = BarcodeContent()
        if parsesValues { content.format = value?.format }
        let named = redactions.filter { $0.format == value?.format }
        if let value, !named.isEmpty {
            content.redacted = named.map { redaction in
                redaction.field.map { "\(redaction.format.rawValue).\($0)" } ?? redaction.format.rawValue
            }.sorted()
            if named.contains(where: { $0.field == nil }) { return content }
            let (fields, display) = value.shown(raw: "", hiding: Set(named.compactMap(\.field)))
            if parsesValues { content.fields = fields }
            content.display = display.orNil
            return content
        }
        let claimed = redactions.filter { BarcodeValueMark.of($0.format, isIn: barcode) && value?.isPlain != false }
        if !claimed.isEmpty {
            content.redacted = Set(claimed.map(\.format.rawValue)).sorted()
            return content
        }
        guard let value, let raw = barcode.raw else { return content }
        let (fields, display) = value.shown(raw: raw, hiding: [])
        if parsesValues { content.fields = fields }
        content.display = parsesValues ? display : raw
        return content
    }
}

extension BarcodeValue {
    /// Whether it is no more than its text, so that a damaged form may hide in it.
    fileprivate var isPlain: Bool { fields == nil }

    fileprivate func shown(raw: String, hiding names: Set<String>) -> (fields: ValueFields?, display: String) {
        if case .gs1(let value) = self {
            let rest = value.hiding(names)
            return (rest.fields, rest.display)
        }
        guard let fields = fields?.hiding(names) else { return (nil, raw) }
        return (fields, fields.display.orNil ?? raw)
    }
}
