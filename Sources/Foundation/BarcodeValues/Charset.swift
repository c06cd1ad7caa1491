// SPDX-License-Identifier: Apache-2.0
/// Character sets that encoded parts of a value may be in. The text as a whole has been decoded by the reader already.
enum Charset {
    case utf8, latin1, latin9, windows1252, shiftJIS

    /// IANA's names and the usual aliases, in any case; nil for others.
    init?(name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
        case "iso-8859-1", "latin1", "l1": self = .latin1
        case "iso-8859-15", "latin-9": self = .latin9
        case "windows-1252", "cp1252": self = .windows1252
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms_kanji": self = .shiftJIS
        default: return nil
        }
    }

    /// nil when the bytes are not of this character set.
    func text(_ bytes: [UInt8]) -> String? {
        switch self {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .latin1: Self.string(bytes.map { UInt32($0) })
        case .latin9: Self.string(bytes.map { Self.latin9Differences[$0] ?? UInt32($0) })
        case .windows1252:
            Self.string(bytes.map { 0x80...0x9F ~= $0 ? Self.windows1252Upper[Int($0) - 0x80] : UInt32($0) })
        case .shiftJIS: ShiftJIS.text(bytes)
        }
    }

    /// UTF-8 if the bytes are valid UTF-8, else Latin-1.
    static func text(ofUnknown bytes: [UInt8]) -> String {
        Charset.utf8.text(bytes) ?? Charset.latin1.text(bytes) ?? ""
    }

    private static func string(_ scalars: [UInt32]) -> String {
        String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
    }

    /// ISO 8859-15 where it is not Latin-1.
    private static let latin9Differences: [UInt8: UInt32] = [
        0xA4: 0x20AC, 0xA6: 0x160, 0xA8: 0x161, 0xB4: 0x17D, 0xB8: 0x17E, 0xBC: 0x152, 0xBD: 0x153, 0xBE: 0x178,
    ]

    /// 0x80...0x9F by the WHATWG's index of windows-1252.
    private static let windows1252Upper: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
        0x17E, 0x178,
    ]
}
