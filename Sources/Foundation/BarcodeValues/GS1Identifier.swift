// SPDX-License-Identifier: Apache-2.0
/// An application identifier: what its data must look like and what they say.
struct GS1Identifier: Sendable {
    let digits: String
    let title: String
    let components: [GS1Component]
    /// The last `places` digits of the data's number come after the point.
    let places: Int?
    let unit: String?

    init(_ digits: String, _ title: String, _ components: GS1Component..., places: Int? = nil, unit: String? = nil) {
        self.digits = digits
        self.title = title
        self.components = components
        self.places = places
        self.unit = unit
    }

    /// Identifiers with these first two digits have data of a predefined length and need no FNC1 behind them.
    var predefinedLength: Int? {
        guard Self.predefined.contains(String(digits.prefix(2))) else { return nil }
        return components.map(\.length.upperBound).reduce(0, +)
    }

    private static let predefined: Set<String> = [
        "00", "01", "02", "03", "04", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "31", "32", "33",
        "34", "35", "36", "41",
    ]

    /// The identifier that the text begins with. None is the beginning of another.
    static func first(of text: TextBytes) -> GS1Identifier? {
        for length in 2...4 {
            if let identifier = byDigits[text.prefix(length).string] { return identifier }
        }
        return nil
    }

    private static let byDigits = Dictionary(uniqueKeysWithValues: all.map { ($0.digits, $0) })

    /// nil when the data are not valid.
    func element(_ data: TextBytes) -> GS1.Element? {
        var element = GS1.Element(identifier: digits, title: title, data: data.string)
        var rest = data
        for (place, component) in components.enumerated() {
            let part = rest.prefix(component.length.upperBound)
            if part.isEmpty, component.isOptional { break }
            guard component.admits(part) else { return nil }
            rest = rest.dropFirst(part.count)
            switch component.meaning {
            case .date, .dateWithoutDay:
                guard let date = GS1Date.text(part) else { return nil }
                if element.date == nil { element.date = date } else { element.endDate = date }
            case .time:
                guard let time = GS1Date.time(part) else { return nil }
                element.date? += "T\(time)"
            case .currency: element.currency = part.string
            default: break
            }
            if place == components.count - 1, let places {
                element.decimal = DecimalNumber.text(part, places: places)
                element.unit = unit
            }
        }
        return rest.isEmpty ? element : nil
    }
}
