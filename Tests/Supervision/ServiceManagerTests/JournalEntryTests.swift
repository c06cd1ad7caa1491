// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import ServiceManager
import Testing

@Suite struct JournalEntryTests {
    private func fields(_ entry: JournalEntry) -> String { String(decoding: entry.bytes, as: UTF8.self) }

    @Test func aJournalEntryHasOneFieldALine() {
        var entry = JournalEntry(message: "it works", priority: 6, identifier: "glimpsed")
        entry.add("pipeline", "front-door")
        #expect(fields(entry) == "MESSAGE=it works\nPRIORITY=6\nSYSLOG_IDENTIFIER=glimpsed\nPIPELINE=front-door\n")
    }

    /// No text of a camera can begin another field.
    @Test func aJournalEntryValueWithNewlinesHasItsLength() {
        let entry = JournalEntry(message: "a\nPRIORITY=0", priority: 4, identifier: "g")
        #expect(Array(entry.bytes.prefix(8)) == Array("MESSAGE\n".utf8))
        #expect(Array(entry.bytes[8..<16]) == [12, 0, 0, 0, 0, 0, 0, 0])
        #expect(fields(entry).hasSuffix("a\nPRIORITY=0\nPRIORITY=4\nSYSLOG_IDENTIFIER=g\n"))
    }

    @Test(
        arguments: [
            ("run_id", "RUN_ID=x\n"), ("source.uri", "SOURCE_URI=x\n"), ("_UID", "UID=x\n"), ("7up", "UP=x\n"),
            ("_", ""), ("", ""), ("ü", ""),
            (String(repeating: "a", count: 100), String(repeating: "A", count: 64) + "=x\n"),
        ])
    func fieldNamesOfAJournalEntryAreValid(name: String, field: String) {
        var entry = JournalEntry(message: "", priority: 0, identifier: "")
        let before = entry.bytes.count
        entry.add(name, "x")
        #expect(String(decoding: entry.bytes[before...], as: UTF8.self) == field)
    }

    /// Reads entries like the systemd journal. The decoded fields equal the written fields.
    @Test func aWrittenJournalEntryReadsBackEqual() {
        var random = SeededRandom(seed: 7)
        for _ in Fuzz.rounds(500) {
            let pairs = (0..<Int.random(in: 0..<5, using: &random)).map { index in
                let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                    Self.awkward.randomElement(using: &random) ?? 0
                }
                return ("K\(index)X", String(decoding: bytes, as: UTF8.self))
            }
            var entry = JournalEntry(message: "m", priority: 1, identifier: "i")
            for (name, value) in pairs { entry.add(name, value) }
            let head = [("MESSAGE", "m"), ("PRIORITY", "1"), ("SYSLOG_IDENTIFIER", "i")]
            #expect(Self.read(entry.bytes).map { "\($0)\u{1}\($1)" } == (head + pairs).map { "\($0)\u{1}\($1)" })
        }
    }

    private static let awkward: [UInt8] = [UInt8(ascii: "\n"), UInt8(ascii: "="), UInt8(ascii: "A"), 0, 0xC3]

    private static func read(_ bytes: [UInt8]) -> [(String, String)] {
        var fields: [(String, String)] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                fields.append(
                    (
                        String(decoding: line[..<equals], as: UTF8.self),
                        String(decoding: line[(equals + 1)...], as: UTF8.self)
                    ))
            } else {
                let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                let value = rest.dropFirst(8).prefix(count)
                fields.append((String(decoding: line, as: UTF8.self), String(decoding: value, as: UTF8.self)))
                rest = rest.dropFirst(8 + count + 1)
            }
        }
        return fields
    }
}
