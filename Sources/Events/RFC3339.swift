import Observations

extension Timestamp {
    /// RFC 3339 in UTC with nine decimals, such as `1970-01-01T00:00:00.033333333Z`: always 30 bytes, because 64 bits of nanoseconds
    /// reach from 1677 to 2262.
    public var rfc3339: String {
        let text = [UInt8](capacity: Self.rfc3339Bytes) { appendRFC3339(to: &$0) }
        return String(decoding: text, as: UTF8.self)
    }

    static let rfc3339Bytes = 30

    /// The same, where there is room for it.
    func appendRFC3339(to span: inout OutputSpan<UInt8>) {
        let (days, nanosecondOfDay) = nanoseconds.flooredQuotientAndRemainder(by: 86_400_000_000_000)
        let (year, month, day) = Self.civilDate(daysSinceEpoch: days)
        let second = UInt32(truncatingIfNeeded: nanosecondOfDay / 1_000_000_000)
        let nanosecond = UInt32(truncatingIfNeeded: nanosecondOfDay % 1_000_000_000)
        func digit(_ value: UInt32) { span.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)) }
        func two(_ value: UInt32, then separator: Unicode.Scalar) {
            digit(value / 10)
            digit(value)
            span.append(UInt8(ascii: separator))
        }
        let years = UInt32(truncatingIfNeeded: year)
        digit(years / 1000)
        digit(years / 100)
        two(years % 100, then: "-")
        two(UInt32(truncatingIfNeeded: month), then: "-")
        two(UInt32(truncatingIfNeeded: day), then: "T")
        two(second / 3600, then: ":")
        two(second / 60 % 60, then: ":")
        two(second % 60, then: ".")
        var unit: UInt32 = 100_000_000
        while unit > 0 {
            digit(nanosecond / unit)
            unit /= 10
        }
        span.append(UInt8(ascii: "Z"))
    }

    /// Proleptic Gregorian date of a day number. Source: Howard Hinnant, "chrono-compatible low-level date algorithms",
    /// `civil_from_days`.
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
