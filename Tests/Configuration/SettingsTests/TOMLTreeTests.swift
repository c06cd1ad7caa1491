// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Settings

/// The values of a TOML text and the line of every key, with any text between the keys.
struct TOMLTreeTests {
    private func lines(_ text: String) throws -> [String: Int] {
        func flat(_ lines: TOMLLines, at path: String) -> [String: Int] {
            lines.members.reduce(into: [:]) { all, member in
                let path = path.isEmpty ? member.key : "\(path)/\(member.key)"
                all[path] = member.value.line
                all.merge(flat(member.value, at: path)) { first, _ in first }
            }
        }
        return try flat(TOMLTree(parsing: text).lines, at: "")
    }

    @Test func tomlValues() throws {
        let text = #"""
            text = "a\tb\u00e9\U0001F600\"" # "
            literal = 'a\t'
            lines = """
            a \
              b
            c"""""
            empty = ""
            integers = [0, -0, +5, 1_000, 0xDEAD_beef, 0o755, 0b1010, 9223372036854775807, -9223372036854775808]
            floats = [0.5, -3.14e-2, 6.02E+23, 1e06, 1_0.2_5, inf, -inf]
            nan = nan
            flags = [true, false]
            none = []
            table = { a.b = 1, "c d" = [{}, { e = 2 }] }
            """#
        let root = try TOMLTree(parsing: text).root
        #expect(root["text"] == .string("a\tb\u{E9}\u{1F600}\""))
        #expect(root["literal"] == .string("a\\t"))
        #expect(root["lines"] == .string("a b\nc\"\""))
        #expect(root["empty"] == .string(""))
        let integers = [0, 0, 5, 1000, 0xDEAD_BEEF, 0o755, 0b1010, .max, .min]
        #expect(root["integers"] == .array(integers.map { .integer($0) }))
        let floats = [0.5, -0.0314, 6.02e23, 1e6, 10.25, .infinity, -.infinity]
        #expect(root["floats"] == .array(floats.map { .float($0) }))
        #expect(root["nan"].map { if case .float(let number) = $0 { number.isNaN } else { false } } == true)
        #expect(root["flags"] == .array([.boolean(true), .boolean(false)]))
        #expect(root["none"] == .array([]))
        let inner = TOMLNode.array([.table([:]), .table(["e": .integer(2)])])
        #expect(root["table"] == .table(["a": .table(["b": .integer(1)]), "c d": inner]))
    }

    @Test func aMissingTOMLKeyHasTheNearestLine() throws {
        let lines = try TOMLTree(parsing: "[a]\nb = [\n1,\n2]\n[[c]]\n[[c]]\nd = 1").lines
        #expect(lines.nearest(to: ["a", "x", "y"]) == 1)
        #expect(lines.nearest(to: ["a", "b", "1"]) == 4)
        #expect(lines.nearest(to: ["c", "1", "d"]) == 7)
        #expect(lines.nearest(to: ["c", "2"]) == 5)
        #expect(lines.nearest(to: ["x"]) == nil)
        #expect(lines.nearest(to: []) == nil)
        #expect(lines[["a", "x"]] == nil)
    }

    @Test func linesOfTOMLTablesAndKeys() throws {
        let text = """
            # a comment with [brackets] and "quotes
            name = "x" # another = comment

            [source]
            kind = "file"
              width=5
            [face . tracking]
            hits = 2
            """
        #expect(
            try lines(text) == [
                "name": 2, "source": 4, "source/kind": 5, "source/width": 6, "face": 7, "face/tracking": 7,
                "face/tracking/hits": 8,
            ])
    }

    @Test func linesOfDottedAndQuotedTOMLKeys() throws {
        let text = "a.b.c = 1\na . \"d.e\" = 2\n'f g'.h = 3\n\"\\u0041\\t\" = 4\n"
        #expect(
            try lines(text) == ["a": 1, "a/b": 1, "a/b/c": 1, "a/d.e": 2, "f g": 3, "f g/h": 3, "A\t": 4])
    }

    @Test func linesOfInlineTOMLTablesAndArrays() throws {
        let text = "t = { a = 1, b.c = \"},\" }\nl = [ # [\n  1,\n  { x = ']' },\n]\nend = 1\n"
        #expect(
            try lines(text) == [
                "t": 1, "t/a": 1, "t/b": 1, "t/b/c": 1, "l": 2, "l/0": 3, "l/1": 4, "l/1/x": 4, "end": 6,
            ])
    }

    @Test func textInMultilineTOMLStringsIsNotAKey() throws {
        let text = "a = \"\"\"\nb = 1\n\\\"\"\" c\"\"\"\"\nd = '''\n[e]\n'''\nf = \"\"\ng = ''\nh = 1"
        #expect(try lines(text) == ["a": 1, "d": 4, "f": 7, "g": 8, "h": 9])
    }

    @Test func linesOfArraysOfTOMLTables() throws {
        let text = "[[zone]]\nname = 1\n[zone.line]\nx = 1\n[[zone]]\nname = 2\n"
        #expect(
            try lines(text) == [
                "zone": 1, "zone/0": 1, "zone/0/name": 2, "zone/0/line": 3, "zone/0/line/x": 4, "zone/1": 5,
                "zone/1/name": 6,
            ])
    }

    @Test func carriageReturnsDoNotMoveTOMLLines() throws {
        #expect(try lines("a = 1\r\n[b]\r\nc = \"x\"\r\n") == ["a": 1, "b": 2, "b/c": 3])
    }

    @Test(arguments: [
        ("[", "1: expected a key"), ("[=", "1: expected a key"), ("\n[.face]\n", "2: expected a key"),
        ("[]", "1: expected a key"), ("a.", "1: expected a key"), ("= 1", "1: expected a key"),
        ("]", "1: expected a key"), ("a", "1: expected '='"), ("[a\nb = 1", "1: expected ']'"),
        ("[[a]\n", "1: expected ']'"), ("\na =", "2: expected a value"), ("a = # 1", "1: expected a value"),
        ("a = \u{2028}1", "1: expected a value"), ("a = \u{7F}", "1: unexpected control character"),
        ("a = [,]", "1: expected value or closing ']'"), ("a = [1, }]", "1: expected a value"),
        ("a = \"b\n", "1: a string without its closing quote"), ("a = 'b", "1: a string without its closing quote"),
        ("a = \'\'\'\n\n", "1: a string without its closing quote"),
        ("b = 1\na = \"\"\"\\\n", "2: a string without its closing quote"),
        ("a = [\n1\n", "1: expected ']' before the end of the file"), ("a = [\"x\" 2]", "1: expected ',' or ']'"),
        ("a = [\n[1],\n[ 2, [\n\n", "3: expected ']' before the end of the file"),
        ("a = {b", "1: expected '='"), ("a = {b = 1\n}", "1: expected key or closing '}'"),
        ("a = \"x\" b", "1: expected the end of the line"), ("a = 'x' \u{3001}", "1: expected the end of the line"),
        ("a\u{E9} = 1", "1: expected '='"), ("[a] b = 1", "1: expected the end of the line"),
        ("a = \"\\ud800\"", "1: a string has an invalid escape sequence"),
        ("a = \"\\u12", "1: a string has an invalid escape sequence"),
        ("a = \"\\q\"", "1: a string has an invalid escape sequence"),
        ("a = \"\\e\"", "1: a string has an invalid escape sequence"),
        ("a = \"\u{1}\"", "1: unescaped control characters other than TAB (U+0009) are explicitly prohibited"),
        ("a = 1\rb = 1", "1: expected '\\n' after '\\r'"),
    ])
    func malformedTOMLIsRefused(text: String, message: String) {
        #expect {
            try TOMLTree(parsing: text)
        } throws: {
            "\($0)" == "line " + message.replacing(": ", with: ": not valid TOML: ", maxReplacements: 1)
        }
    }

    private static let notANumber = "not a number; put text in quotes"
    private static let aString = "put a string in quotes"
    private static let tooLarge = "a number too large for 64 bits"
    private static let leadingZeroes = "a number with leading zeroes"

    @Test(arguments: [
        ("True", aString), ("abc", aString), ("infinity", notANumber), ("nancy", notANumber), ("truth", aString),
        ("rtsp://u:s3cret@camera/", aString), ("_1", "values may not begin with underscores"),
        ("--1", notANumber), ("+-1", aString), ("\u{663}", aString), ("01", leadingZeroes), ("-01", leadingZeroes),
        ("00.5", leadingZeroes), ("9223372036854775808", tooLarge), ("-9223372036854775809", tooLarge),
        ("0xFFFFFFFFFFFFFFFFF", tooLarge), ("10s", notANumber), ("1e999", notANumber), ("1_", "expected ',' or ']'"),
        ("1__0", notANumber), ("1.", notANumber), (".5", notANumber), ("1.e5", notANumber), ("1e", notANumber),
        ("1e5e5", notANumber), ("1.2.3", notANumber), ("0x", notANumber), ("0x_1", notANumber),
        ("+0x1", notANumber), ("0b2", notANumber), ("0o8", notANumber), ("0.5_", notANumber), ("1:2", notANumber),
        ("1979-13-27", notANumber), ("1979-05-27T25:00:00", notANumber),
        (String(repeating: "9", count: 500), notANumber),
    ])
    func invalidTOMLValuesAreRefused(text: String, message: String) {
        #expect {
            try TOMLTree(parsing: "\nx = [\n\(text) ]\n")
        } throws: {
            "\($0)" == "line 3: not valid TOML: \(message)"
        }
    }

    @Test(arguments: [
        ("a = 1\na = 2", "cannot redefine existing integer 'a'"),
        ("a.b = 1\n[a]", "cannot redefine existing table 'a'"),
        ("[a.b]\n[[a]]", "cannot redefine existing table 'a' as array-of-tables"),
        ("a = {}\na.b = 1", "cannot redefine existing table as dotted key-value pair"),
        ("a = {}\n[a.b]", "cannot insert 'a.b' into existing inline table"),
        ("\"rtsp://u:pw@x\" = 1\n\"rtsp://u:pw@x\" = 2", "cannot redefine existing integer"),
    ])
    func tomlKeysGivenTwiceAreRefused(text: String, message: String) {
        #expect {
            try TOMLTree(parsing: text)
        } throws: {
            "\($0)" == "line 2: not valid TOML: \(message)"
        }
    }

    @Test(arguments: [
        ("a = \"\\u0000\"", "1: a NUL character in a string"),
        ("\n\"\\U00000000\" = 1", "2: a NUL character in a string"),
        ("[a]\nb = [2026-01-01]", "2: [a.b] 0 must not be a date or a time; put a string in quotes"),
        ("a = 07:32:00", "1: a must not be a date or a time; put a string in quotes"),
    ])
    func unsupportedTOMLIsRefused(text: String, message: String) {
        #expect {
            try TOMLTree(parsing: text)
        } throws: {
            "\($0)" == "line \(message)"
        }
    }

    /// Texts of up to 10 MB. Releasing such a tree recursively would overflow any stack.
    @Test(arguments: [
        ("", "a.", 16, "a = 1", "1: a key of more than 16 parts"),
        ("a = '''\n'''\n[", "a.", 5_000_000, "a]", "3: a key of more than 16 parts"),
        ("", "\"a\" . ", 16, "a = 1", "1: a key of more than 16 parts"),
        ("x = ", "[", 10_000_000, "", "1: values nested more than 16 deep"),
        ("x = ", "{a=", 100_000, "", "1: values nested more than 16 deep"),
    ])
    func tomlNestedTooDeepIsRefused(start: String, part: String, count: Int, end: String, message: String) {
        #expect {
            try TOMLTree(parsing: start + String(repeating: part, count: count) + end)
        } throws: {
            "\($0)" == "line \(message)"
        }
    }

    /// Dots, brackets and quotes without a meaning in TOML.
    @Test(arguments: [
        String(repeating: "a.", count: 15) + "a = 1", "x = \"" + String(repeating: ".[\\\"", count: 99) + "\"",
        "# it's " + String(repeating: ".[", count: 99) + "\nx = 1",
        "x = \'\'\'\n\'\'" + String(repeating: ".[", count: 99) + "\'\'\'\'\'",
        "x = \"\"\"\"" + String(repeating: ".[", count: 99) + "\\\"\"\"\"\"",
        "x = [" + String(repeating: "[1.5, \"a.b\"], ", count: 99) + "]",
        "x = " + String(repeating: "[", count: 16) + String(repeating: "]", count: 16),
    ])
    func wideTOMLIsNotTooDeep(text: String) throws {
        #expect(try TOMLTree(parsing: text).root.count == 1)
    }

    @Test(arguments: [
        ("a.b", ["a", "b"]), ("tags.\"a b\"", ["tags", "a b"]), (" a . b ", ["a", "b"]), ("\"#=\".a", ["#=", "a"]),
        ("", nil), ("a..b", nil), ("a.", nil), ("a=b", nil), ("a b", nil), ("a=1#", nil), ("a=\"a\"#", nil),
        ("[x]\na", nil), ("a\0", nil), ("\"a\\u0000\"", nil),
    ])
    func partsOfTOMLKeys(text: String, parts: [String]?) {
        #expect(TOMLDocument.keyParts(text) == parts)
    }
}
