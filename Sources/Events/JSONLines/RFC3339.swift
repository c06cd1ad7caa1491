// SPDX-License-Identifier: Apache-2.0
import Observations

extension Timestamp {
    /// RFC 3339 in UTC with nine decimals, such as `1970-01-01T00:00:00.033333333Z`. The text always has 30 bytes,
    /// because 64 bits of nanoseconds span the years 1677 to 2262.
    public var rfc3339: String {
        var date = RFC3339Date()
        return String(unsafeUninitializedCapacity: RFC3339Date.bytes) {
            date.write(self, to: $0.baseAddress.unsafelyUnwrapped)
        }
    }
}

/// Writes times and caches the date of the last one, because neighbouring times share their date.
struct RFC3339Date: Sendable {
    static let bytes = 30

    private var day = Int64.min
    /// The date with its `T`.
    private var text = InlineArray<11, UInt8>(repeating: 0)

    /// - Parameter place: has room for `bytes`.
    /// - Returns: the number of bytes written.
    @discardableResult
    @inline(__always)
    mutating func write(_ time: Timestamp, to place: UnsafeMutablePointer<UInt8>) -> Int {
        let (days, nanosecondOfDay) = time.nanoseconds.flooredQuotientAndRemainder(by: 86_400_000_000_000)
        if days != day { setDate(days) }
        for index in text.indices { place[index] = text[index] }
        let of = UInt64(bitPattern: nanosecondOfDay)
        let second = UInt32(truncatingIfNeeded: of / 1_000_000_000)
        func two(_ value: UInt32, at index: Int, then separator: Unicode.Scalar) {
            Digits.two(value, to: place + index)
            place[index + 2] = UInt8(ascii: separator)
        }
        two(second / 3600, at: 11, then: ":")
        two(second / 60 % 60, at: 14, then: ":")
        two(second % 60, at: 17, then: ".")
        Digits.write(of % 1_000_000_000, 9, to: place + 20)
        place[29] = UInt8(ascii: "Z")
        return Self.bytes
    }

    @inline(never)
    private mutating func setDate(_ days: Int64) {
        day = days
        let (year, month, dayOfMonth) = Self.civilDate(daysSinceEpoch: days)
        func set(_ value: Int64, _ index: Int, then separator: Unicode.Scalar) {
            text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10 % 10)
            text[index + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
            text[index + 2] = UInt8(ascii: separator)
        }
        set(year / 100, 0, then: "0")
        set(year % 100, 2, then: "-")
        set(month, 5, then: "-")
        set(dayOfMonth, 8, then: "T")
    }

    /// The proleptic Gregorian date of a day number. Source: Howard Hinnant, "chrono-compatible low-level date
    /// algorithms", `civil_from_days`.
    private static func civilDate(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (daysSinceEpoch + 719_468).flooredQuotientAndRemainder(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func flooredQuotientAndRemainder(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
