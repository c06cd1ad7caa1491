// SPDX-License-Identifier: Apache-2.0
/// Decimal numbers as they are written in payloads.
enum DecimalNumber {
    /// `-12.34`; nil for anything else (exponents, commas, a bare point).
    static func value(_ text: TextBytes) -> Double? {
        var digits = text
        if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        let (whole, fraction) = digits.cut(at: ".")
        guard whole.isDigits, fraction?.isDigits ?? true, text.count <= 40 else { return nil }
        return Double(text.string)
    }

    /// Digits with `places` of them after the point, as text, because money and weights are exact: `001250`, 3 is
    /// `1.250`.
    static func text(_ digits: TextBytes, places: Int) -> String {
        var whole = digits.dropLast(places)
        while whole.count > 1, whole.first == UInt8(ascii: "0") { whole.removeFirst() }
        let head = whole.isEmpty ? "0" : whole.string
        let zeros = String(repeating: "0", count: max(0, places - digits.count))
        return places == 0 ? head : "\(head).\(zeros)\(digits.suffix(places).string)"
    }
}
