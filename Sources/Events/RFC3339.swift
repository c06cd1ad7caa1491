import Observations

extension Timestamp {
    /// RFC 3339 in UTC with nine decimals, such as `1970-01-01T00:00:00.033333333Z`: always 30 bytes, because 64 bits of nanoseconds
    /// reach from 1677 to 2262.
    public var rfc3339: String {
        let (days, nanosecondOfDay) = nanoseconds.flooredQuotientAndRemainder(by: 86_400_000_000_000)
        let (year, month, day) = Self.civilDate(daysSinceEpoch: days)
        let second = nanosecondOfDay / 1_000_000_000
        return String(unsafeUninitializedCapacity: 30) { buffer in
            var end = 0
            func put(_ value: Int64, digits: Int, then separator: Unicode.Scalar) {
                var rest = value
                for index in (end..<end + digits).reversed() {
                    buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                buffer[end + digits] = UInt8(ascii: separator)
                end += digits + 1
            }
            put(year, digits: 4, then: "-")
            put(month, digits: 2, then: "-")
            put(day, digits: 2, then: "T")
            put(second / 3600, digits: 2, then: ":")
            put(second / 60 % 60, digits: 2, then: ":")
            put(second % 60, digits: 2, then: ".")
            put(nanosecondOfDay % 1_000_000_000, digits: 9, then: "Z")
            return end
        }
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
