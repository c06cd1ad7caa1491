// SPDX-License-Identifier: Apache-2.0
import Observations

/// Element strings: numbers with their meaning (GS1 General Specifications, 3).
public struct GS1: Sendable, Equatable {
    /// One application identifier with its data.
    public struct Element: Sendable, Equatable {
        /// Two to four digits.
        public var identifier: String
        /// The specification's data title.
        public var title: String
        /// As transmitted.
        public var data: String
        /// `2026-12-31`; `2026-12` where the day is not said; `2026-12-31T23:59` with a time.
        public var date: String?
        /// The last day of a span of dates.
        public var endDate: String?
        /// Weights, measures and money with the point that their identifier says: `1.250`.
        public var decimal: String?
        /// The unit of `decimal`: `kg`, `m`, `l`, ...
        public var unit: String?
        /// The currency of `decimal`: the number of ISO 4217.
        public var currency: String?
    }

    /// In their order; never empty.
    public var elements: [Element]

    /// Whether a symbol's modifier says that FNC1 stood in first position (ISO/IEC 15424; GS1 General Specifications).
    static func isAnnounced(by symbologyIdentifier: String, _ format: Barcode.Format) -> Bool {
        announcements.contains(symbologyIdentifier)
            || symbologyIdentifier.isEmpty && (format == .dataBar || format == .dataBarExpanded)
    }

    private static let announcements: Set = [
        "]C1", "]e0", "]e1", "]e2", "]e3", "]d2", "]d5", "]Q3", "]Q4", "]J1", "]z1", "]z4",
    ]

    /// The text of such a symbol, without symbology identifier, FNC1 as U+001D. nil when one element is not valid.
    init?(_ text: TextBytes) {
        let separator: UInt8 = 0x1D
        var rest = text.first == separator ? text.dropFirst() : text
        var elements: [Element] = []
        while !rest.isEmpty {
            guard let identifier = GS1Identifier.first(of: rest) else { return nil }
            rest = rest.dropFirst(identifier.digits.utf8.count)
            let end = rest.firstIndex(of: separator) ?? rest.endIndex
            var data = rest[..<end]
            // Such elements may be followed by the next without FNC1.
            if let length = identifier.predefinedLength { data = data.prefix(length) }
            guard let element = identifier.element(data) else { return nil }
            elements.append(element)
            rest = rest[data.endIndex...]
            if rest.first == separator { rest = rest.dropFirst() }
        }
        guard !elements.isEmpty else { return nil }
        self.elements = elements
    }

    init(elements: [Element]) { self.elements = elements }

    /// The human readable form: identifiers in brackets.
    var display: String { elements.map { "(\($0.identifier))\($0.data)" }.joined() }

    /// `elements` is all of them.
    static var fieldNames: [String] { ["elements"] + GS1Identifier.all.map(\.digits) }

    func hiding(_ names: Set<String>) -> GS1 {
        names.contains("elements")
            ? GS1(elements: []) : GS1(elements: elements.filter { !names.contains($0.identifier) })
    }

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("elements", elements.map(\.fields))
        return fields
    }
}

extension GS1.Element {
    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("ai", identifier)
        fields.add("title", title)
        fields.add("data", data)
        fields.add("date", date)
        fields.add("end_date", endDate)
        fields.add("decimal", decimal)
        fields.add("unit", unit)
        fields.add("currency", currency)
        return fields
    }
}
