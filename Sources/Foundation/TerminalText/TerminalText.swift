// SPDX-License-Identifier: Apache-2.0
extension String {
    /// The text on one line, without characters that a terminal would obey or that would turn the rest of the line
    /// around. Controls, format characters (bidirectional overrides, joiners, characters without width), line and
    /// paragraph separators and private characters each become "·".
    package var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isPrintable ? $0 : "·" }))
    }

    /// How many columns it takes on a terminal, if it is `printable`.
    package var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// Itself where it has room; else its beginning and "…".
    package func cut(toColumns limit: Int) -> String {
        guard columns > limit else { return self }
        var text = String.UnicodeScalarView()
        var room = limit - 1
        for scalar in unicodeScalars {
            room -= scalar.columns
            guard room >= 0 else { break }
            text.append(scalar)
        }
        return limit > 0 ? String(text) + "…" : ""
    }

    package func padded(toColumns width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }

    /// 0 for marks that stand over the letter before them, 2 for East Asian wide ones and pictures, else 1.
    fileprivate var columns: Int {
        guard value >= 0x300 else { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// Blocks of wide (W) and fullwidth (F) characters. Source: Unicode Standard Annex 11, EastAsianWidth.txt.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB,
        0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
