// SPDX-License-Identifier: Apache-2.0
/// A part of an element's data (GS1 General Specifications, 3: format).
struct GS1Component: Sendable {
    enum Characters: Sendable {
        case digits
        /// The 82 of figure 7.11-1, the 39 of figure 7.11-2, and file-safe base 64.
        case set82, set39, set64
    }

    enum Meaning: Sendable, Equatable {
        case plain
        /// The last digit checks the others.
        case checkDigit
        /// The last two characters check the others (7.9.5).
        case checkPair
        case date, dateWithoutDay, time, currency
        case iban
        /// Two digits each.
        case pieceOfTotal
        /// 0 or 1.
        case yesNo
        /// 0, 1 or 9.
        case winding
        case notZero
        case zero
        case hyphen
    }

    let characters: Characters
    let length: ClosedRange<Int>
    let meaning: Meaning
    let isOptional: Bool

    static func n(_ length: Int, _ meaning: Meaning = .plain, optional: Bool = false) -> Self {
        Self(characters: .digits, length: length...length, meaning: meaning, isOptional: optional)
    }

    static func n(upTo length: Int, _ meaning: Meaning = .plain, optional: Bool = false) -> Self {
        Self(characters: .digits, length: 1...length, meaning: meaning, isOptional: optional)
    }

    static func x(_ length: Int, _ meaning: Meaning = .plain, optional: Bool = false) -> Self {
        Self(characters: .set82, length: length...length, meaning: meaning, isOptional: optional)
    }

    static func x(upTo length: Int, _ meaning: Meaning = .plain, optional: Bool = false) -> Self {
        Self(characters: .set82, length: 1...length, meaning: meaning, isOptional: optional)
    }

    static func y(upTo length: Int) -> Self {
        Self(characters: .set39, length: 1...length, meaning: .plain, isOptional: false)
    }

    static func z(upTo length: Int) -> Self {
        Self(characters: .set64, length: 1...length, meaning: .plain, isOptional: false)
    }

    static let key13 = n(13, .checkDigit)
    static let date = n(6, .date)
    /// The day may be 00.
    static let looseDate = n(6, .dateWithoutDay)

    func admits(_ part: TextBytes) -> Bool {
        guard length.contains(part.count), part.allSatisfy(isCharacter) else { return false }
        return switch meaning {
        case .plain, .dateWithoutDay, .currency, .time: true
        case .checkDigit: CheckDigits.isGS1(part)
        case .checkPair: GS1CheckPair.isRight(part)
        case .date: !part.hasSuffix("00")
        case .iban: CheckDigits.isIBAN(part)
        case .pieceOfTotal:
            (part.prefix(2).integer ?? 0) > 0 && (part.suffix(2).integer ?? 0) >= (part.prefix(2).integer ?? 0)
        case .yesNo: part.string == "0" || part.string == "1"
        case .winding: ["0", "1", "9"].contains(part.string)
        case .notZero: part.contains { $0 != UInt8(ascii: "0") }
        case .zero: part.string == "0"
        case .hyphen: part.string == "-"
        }
    }

    private func isCharacter(_ byte: UInt8) -> Bool {
        switch characters {
        case .digits: byte.isDigit
        case .set82: GS1CheckPair.values[byte] != nil
        case .set39: byte.isDigit || byte.isUpper || "#-/".utf8.contains(byte)
        case .set64: byte.isAlphanumeric || "-_=".utf8.contains(byte)
        }
    }
}

extension TextBytes {
    func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

/// Check character pair (GS1 General Specifications, 7.9.5): each character's value times a prime, modulo 1021.
enum GS1CheckPair {
    private static let set82 = "!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
    private static let set32 = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
    private static let primes = [
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83,
    ]

    /// Places in the character set 82.
    static let values = Dictionary(uniqueKeysWithValues: set82.utf8.enumerated().map { ($0.element, $0.offset) })

    static func isRight(_ text: TextBytes) -> Bool {
        guard 3...(primes.count + 2) ~= text.count else { return false }
        let sum = zip(text.dropLast(2).reversed(), primes).reduce(0) { $0 + (values[$1.0] ?? 0) * $1.1 } % 1021
        return text.suffix(2).elementsEqual([set32[sum >> 5], set32[sum & 31]])
    }
}

/// Dates of element strings (GS1 General Specifications, 7.12).
enum GS1Date {
    /// YYMMDD as `2026-12-31`; as `2026-12` if the day is 00. The century is the one that brings the year closest to
    /// 2026, so 77 to 99 are in the twentieth. This is the specification's rule for the year 2026.
    static func text(_ digits: TextBytes) -> String? {
        guard digits.count == 6, let short = digits.prefix(2).integer,
            let month = digits.dropFirst(2).prefix(2).integer, let day = digits.suffix(2).integer
        else { return nil }
        let year = short > 76 ? 1900 + short : 2000 + short
        guard CivilDate.isDay(year: year, month: month, day: max(1, day)) else { return nil }
        let head = "\(year)-\(digits.dropFirst(2).prefix(2).string)"
        return day == 0 ? head : "\(head)-\(digits.suffix(2).string)"
    }

    /// HH, HHMM or HHMMSS as `23:59`; 99:99 is the specification's "not said" and gives nothing to refuse.
    static func time(_ digits: TextBytes) -> String? {
        let parts = stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
        guard parts.allSatisfy({ $0.count == 2 }), let hours = parts.first?.integer, hours < 24,
            parts.dropFirst().allSatisfy({ ($0.integer ?? 60) < 60 })
        else { return nil }
        return parts.map(\.string).joined(separator: ":")
    }
}
