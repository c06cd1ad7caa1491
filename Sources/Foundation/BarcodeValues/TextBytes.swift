// SPDX-License-Identifier: Apache-2.0
/// A part of a payload's text as UTF-8. All delimiters are ASCII, so cutting at them keeps the text valid, whatever
/// combining characters follow them.
typealias TextBytes = ArraySlice<UInt8>

extension UInt8 {
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    var isUpper: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
    var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || isUpper }
    var isAlphanumeric: Bool { isDigit || isLetter }
    var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
    var isControl: Bool { self < 0x20 || self == 0x7F }
    var lowercased: UInt8 { isUpper ? self | 0x20 : self }

    /// 0...15.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension TextBytes {
    var string: String { String(decoding: self, as: UTF8.self) }
    var isDigits: Bool { !isEmpty && allSatisfy(\.isDigit) }

    var trimmingWhitespace: TextBytes {
        var rest = self
        while rest.first?.isSpace == true { rest.removeFirst() }
        while rest.last?.isSpace == true { rest.removeLast() }
        return rest
    }

    /// Whole numbers of at most 18 digits.
    var integer: Int? {
        guard isDigits, count <= 18 else { return nil }
        return reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    func equals(ignoringCase text: String) -> Bool {
        count == text.utf8.count && zip(self, text.utf8).allSatisfy { $0.lowercased == $1.lowercased }
    }

    func hasPrefix(_ text: String) -> Bool { starts(with: text.utf8) }

    /// The rest after `text`, which may stand in any case; nil for another beginning.
    func after(ignoringCase text: String) -> TextBytes? {
        prefix(text.utf8.count).equals(ignoringCase: text) ? dropFirst(text.utf8.count) : nil
    }

    /// The parts before and after the first `separator`; the second is nil without a separator.
    func cut(at separator: Character) -> (TextBytes, TextBytes?) {
        guard let separator = separator.asciiValue, let place = firstIndex(of: separator) else { return (self, nil) }
        return (self[..<place], self[(place + 1)...])
    }

    func parts(separatedBy separator: Character) -> [TextBytes] {
        split(separator: separator.asciiValue ?? 0, omittingEmptySubsequences: false)
    }

    /// Lines that end with LF, CRLF or CR.
    var lines: [TextBytes] {
        var lines: [TextBytes] = []
        var start = startIndex
        var place = startIndex
        while place < endIndex {
            if self[place] == 0x0A || self[place] == 0x0D {
                lines.append(self[start..<place])
                if self[place] == 0x0D, place + 1 < endIndex, self[place + 1] == 0x0A { place += 1 }
                start = place + 1
            }
            place += 1
        }
        lines.append(self[start...])
        return lines
    }

    func contains(ignoringCase text: String) -> Bool {
        guard let first = text.utf8.first?.lowercased else { return true }
        return indices.contains { self[$0].lowercased == first && self[$0...].after(ignoringCase: text) != nil }
    }
}
