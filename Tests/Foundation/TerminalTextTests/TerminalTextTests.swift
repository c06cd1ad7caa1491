// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import TerminalText
import Testing

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("4006381333931", "4006381333931"), ("a\tb\nc\rd", "a·b·c·d"), ("\u{1B}[2J\u{1B}]0;x\u{7}", "·[2J·]0;x·"),
        ("\u{9B}31m\u{85}", "·31m·"), ("\u{202E}live\u{202C}", "·live·"), ("a\u{200B}b\u{FEFF}c", "a·b·c"),
        ("a\u{2028}b\u{2029}c", "a·b·c"), ("\u{E000}", "·"), ("漢字 é שלום", "漢字 é שלום"),
    ]) func aCharacterThatATerminalWouldObeyIsADot(text: String, printable: String) {
        #expect(text.printable == printable)
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("ｱ", 1), ("Ａ", 2), ("한글", 4), ("👩", 2), ("שלום", 4),
        ("…", 1),
    ]) func columns(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func terminalTextIsCut() {
        #expect("abcdef".cut(toColumns: 6) == "abcdef" && "abcdef".cut(toColumns: 5) == "abcd…")
        // A cut never leaves half of a wide character.
        #expect("漢字漢字".cut(toColumns: 4) == "漢…" && "漢字漢字".cut(toColumns: 6) == "漢字…")
        #expect("abc".cut(toColumns: 1) == "…" && "abc".cut(toColumns: 0).isEmpty)
        #expect("漢".padded(toColumns: 4) == "漢  " && "abc".padded(toColumns: 2) == "abc")
    }

    @Test func terminalColumnsStandUnderTheirTitles() {
        let table = TextTable(["NAME", "WHAT", "AT"], [["a", "漢字", "1"], ["door", "x\u{1B}y", "22"]])
        #expect(table.lines() == ["NAME  WHAT  AT", "a     漢字  1", "door  x·y   22"])
        let long = String(repeating: "x", count: 50)
        #expect(
            TextTable(["A", "B"], [[long, "1"], ["y", "2"]]).lines() == ["A  B", "\(long)  1", "y  2"])
    }

    /// No line is wider than the terminal, for cells and terminals of any width. Columns that may not shrink stay
    /// complete while they fit.
    @Test func noTextIsWiderThanTheTerminal() {
        var random = SeededRandom(seed: 5)
        let alphabet: [Character] = ["a", "漢", "é", "👩", " ", "\u{1B}", "\u{202E}"]
        for _ in Fuzz.rounds(300) {
            let rows = (0..<3).map { _ in
                (0..<3).map { _ in
                    String(
                        (0..<Int.random(in: 0...30, using: &random)).map { _ in
                            alphabet.randomElement(using: &random) ?? "a"
                        })
                }
            }
            let width = Int.random(in: 1...120, using: &random)
            let lines = TextTable(["ONE", "TWO", "THREE"], rows).lines(width: width, shrinking: [0, 1])
            #expect(lines.count == 4 && lines.allSatisfy { $0.columns <= width }, "\(width) \(lines)")
            let third = rows.map { $0[2].printable }
            guard width >= 8 + 2 + 8 + 2 + (third.map(\.columns).max() ?? 0), width > 30 else { continue }
            for (line, cell) in zip(lines.dropFirst(), third) where !cell.hasSuffix(" ") {
                #expect(line.hasSuffix(cell), "\(width) \(line)")
            }
        }
    }
}
