// SPDX-License-Identifier: Apache-2.0
/// The header and the licence's subfile of an AAMVA symbol (DL/ID Card Design Standard, annex D).
struct AAMVAFile {
    /// `DL`, `ID` or `EN`.
    let documentType: String
    let issuerID: String
    let version: Int
    private let elements: [String: String]

    subscript(id: String) -> String? { elements[id] }

    /// `@`, separators, `ANSI ` (version 1: `AAMVA`), issuer, versions, number of subfiles, their directory, and they.
    init?(_ text: TextBytes) {
        guard text.first == UInt8(ascii: "@") else { return nil }
        // Separators are LF, RS, CR; readers and printers lose some.
        let head = text.dropFirst().drop { $0.isControl || $0 == 0x20 }
        guard var rest = head.after(ignoringCase: "ANSI ") ?? head.after(ignoringCase: "AAMVA") else { return nil }
        func number(_ count: Int) -> Int? {
            defer { rest = rest.dropFirst(count) }
            return rest.count >= count ? rest.prefix(count).integer : nil
        }
        let issuer = rest.prefix(6)
        guard number(6) != nil, let version = number(2), 1...99 ~= version else { return nil }
        // The jurisdiction's own version came with version 2.
        if version >= 2, number(2) == nil { return nil }
        guard let entries = number(2), 1...99 ~= entries else { return nil }
        guard let (type, subfile) = Self.subfile(text, directory: rest, entries: entries) else { return nil }
        documentType = type
        issuerID = issuer.string
        self.version = version
        elements = Self.elements(subfile)
    }

    /// Found by its offset, or, where that is wrong, as it is on many cards, behind the directory.
    private static func subfile(_ text: TextBytes, directory: TextBytes, entries: Int) -> (String, TextBytes)? {
        var place = directory
        for _ in 0..<entries {
            guard place.count >= 10 else { return nil }
            let type = place.prefix(2).string
            let offset = place.dropFirst(2).prefix(4).integer
            place = place.dropFirst(10)
            guard ["DL", "ID", "EN"].contains(type) else { continue }
            let behind = directory.dropFirst(entries * 10)
            let places = [offset.map { text.dropFirst($0) } ?? [], behind.drop { $0.isControl }]
            if let start = places.first(where: { $0.hasPrefix(type) }) { return (type, start.dropFirst(2)) }
        }
        return nil
    }

    /// Elements end with LF, the subfile with CR; an identifier is a letter of the subfile's kind and two more.
    private static func elements(_ subfile: TextBytes) -> [String: String] {
        var elements: [String: String] = [:]
        for line in subfile.prefix(while: { $0 != 0x0D }).parts(separatedBy: "\n") {
            let id = line.prefix(3)
            guard id.count == 3, id.allSatisfy({ $0.isUpper }), elements[id.string] == nil else { continue }
            let value = line.dropFirst(3).trimmingWhitespace
            let isUnsaid = value.isEmpty || ["NONE", "UNAVL"].contains { value.equals(ignoringCase: $0) }
            if !isUnsaid { elements[id.string] = value.string }
        }
        return elements
    }

    /// For cards that do not say it: the issuers of Canada (AAMVA, "Issuer Identification Numbers").
    static func country(issuer: String) -> String? {
        let canadian = [
            "604426", "604428", "604429", "604432", "604433", "604434", "636012", "636013", "636016", "636017",
            "636028",
            "636044", "636048",
        ]
        return canadian.contains(issuer) ? "CAN" : "USA"
    }
}
