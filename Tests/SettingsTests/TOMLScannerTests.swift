import Testing

@testable import Settings

/// The line of every key, whatever stands between them.
struct TOMLScannerTests {
    private func lines(_ text: String) throws -> [String: Int] {
        var lines: [String: Int] = [:]
        for (path, line) in try TOMLScanner.lines(of: text) { lines[path.joined(separator: "/")] = line }
        return lines
    }

    @Test func tablesAndKeys() throws {
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

    @Test func dottedAndQuotedKeys() throws {
        let text = "a.b.c = 1\na . \"d.e\" = 2\n'f g'.h = 3\n\"\\u0041\\t\" = 4\n"
        #expect(
            try lines(text) == ["a": 1, "a/b": 1, "a/b/c": 1, "a/d.e": 2, "f g": 3, "f g/h": 3, "A\t": 4])
    }

    @Test func inlineTablesAndArrays() throws {
        let text = "t = { a = 1, b.c = \"},\" }\nl = [ # [\n  1,\n  { x = ']' },\n]\nend = 1\n"
        #expect(
            try lines(text) == [
                "t": 1, "t/a": 1, "t/b": 1, "t/b/c": 1, "l": 2, "l/0": 3, "l/1": 4, "l/1/x": 4, "end": 6,
            ])
    }

    @Test func multilineStringsHideWhatLooksLikeKeys() throws {
        let text = "a = \"\"\"\nb = 1\n\\\"\"\" c\"\"\"\"\nd = '''\n[e]\n'''\nf = \"\"\ng = ''\nh = 1"
        #expect(try lines(text) == ["a": 1, "d": 4, "f": 7, "g": 8, "h": 9])
    }

    @Test func arraysOfTables() throws {
        let text = "[[zone]]\nname = 1\n[zone.line]\nx = 1\n[[zone]]\nname = 2\n"
        #expect(
            try lines(text) == [
                "zone": 1, "zone/0": 1, "zone/0/name": 2, "zone/0/line": 3, "zone/0/line/x": 4, "zone/1": 5,
                "zone/1/name": 6,
            ])
    }

    @Test func carriageReturns() throws {
        #expect(try lines("a = 1\r\n[b]\r\nc = \"x\"\r\n") == ["a": 1, "b": 2, "b/c": 3])
    }

    /// None of these may reach TOMLKit: some end the process there.
    @Test(arguments: [
        ("[", "1: expected a key"), ("[=", "1: expected a key"), ("[.face]", "1: expected a key"),
        ("[]", "1: expected a key"), ("a.", "1: expected a key"), ("= 1", "1: expected a key"),
        ("]", "1: expected a key"), ("a", "1: expected '='"), ("[a\nb = 1", "1: expected ']'"),
        ("[[a]\n", "1: expected ']'"), ("\na =", "2: expected a value"), ("a = # 1", "1: expected a value"),
        ("a = [,]", "1: expected a value"), ("a = \u{7F}", "1: expected a value"),
        ("a = \u{2028}1", "1: expected a value"), ("a = \"b\n", "1: a string without its closing quote"),
        ("a = \'\'\'\n\n", "1: a string without its closing quote"),
        ("a = [\n1\n", "1: expected ']' before the end of the file"), ("a = [\"x\" 2]", "1: expected ',' or ']'"),
        ("a = {b", "1: expected '='"), ("a = \"x\" b", "1: expected the end of the line"),
        ("[a] b = 1", "1: expected the end of the line"),
        ("a = \"\\ud800\"", "1: a string with an escape that is no character"),
        ("a = \"\\u12", "1: a string with an escape that is no character"),
    ])
    func malformed(text: String, message: String) {
        #expect {
            try TOMLScanner.lines(of: text)
        } throws: {
            "\($0)" == "line " + message.replacing(": ", with: ": not valid TOML: ")
        }
    }

    @Test(arguments: [
        (String(repeating: "a.", count: 16) + "a = 1", "line 1: a key of more than 16 parts"),
        ("\n[" + String(repeating: "a.", count: 100_000) + "a]", "line 2: a key of more than 16 parts"),
        ("x = " + String(repeating: "[", count: 100_000), "line 1: values nested more than 16 deep"),
        ("x = " + String(repeating: "{a=", count: 100_000), "line 1: values nested more than 16 deep"),
        ("a = \"\\u0000\"", "line 1: a NUL character in a string"),
        ("\n\"\\U00000000\" = 1", "line 2: a NUL character in a string"),
    ])
    func refused(text: String, message: String) {
        #expect {
            try TOMLScanner.lines(of: text)
        } throws: {
            "\($0)" == message
        }
    }

    @Test(arguments: [
        ("a.b", ["a", "b"]), ("tags.\"a b\"", ["tags", "a b"]), (" a . b ", ["a", "b"]), ("", nil), ("a..b", nil),
        ("a.", nil), ("a=b", nil), ("a b", nil),
    ])
    func keyParts(text: String, parts: [String]?) {
        #expect(TOMLScanner.keyParts(text) == parts)
    }
}
