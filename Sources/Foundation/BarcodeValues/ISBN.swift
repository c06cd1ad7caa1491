// SPDX-License-Identifier: Apache-2.0
/// Book numbers (ISO 2108).
enum ISBN {
    /// The prefixes 978 and 979, without 979-0, which is printed music (ISO 10957). 13 digits, already checked.
    static func isBookland(_ digits: TextBytes) -> Bool {
        digits.hasPrefix("978") || digits.hasPrefix("979") && !digits.hasPrefix("9790")
    }

    /// `ISBN 0-306-40615-2`, `ISBN-13: 978-...`, `urn:isbn:...` (RFC 8254), ten or thirteen digits with the right check
    /// digit.
    static func isMarked(_ text: TextBytes) -> Bool {
        var rest = text.after(ignoringCase: "urn:isbn:")
        if rest == nil, var marked = text.after(ignoringCase: "ISBN") {
            marked = marked.after(ignoringCase: "-10") ?? marked.after(ignoringCase: "-13") ?? marked
            if marked.first == UInt8(ascii: ":") { marked.removeFirst() }
            rest = marked.trimmingWhitespace
        }
        guard let rest else { return false }
        let number = rest.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }[...]
        return CheckDigits.isISBN10(number) || number.count == 13 && isBookland(number) && CheckDigits.isGS1(number)
    }
}
