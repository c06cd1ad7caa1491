// SPDX-License-Identifier: Apache-2.0
/// A day, or a moment of a day, as a calendar writes it.
public struct CalendarTime: Sendable, Equatable {
    public var year: Int
    /// 1...12.
    public var month: Int
    /// 1...31.
    public var day: Int
    /// 0...23; nil with minutes and seconds: the whole day.
    public var hours: Int?
    /// 0...59; nil with `hours`.
    public var minutes: Int?
    /// 0...60.
    public var seconds: Int?
    /// Otherwise the time is that of `timeZone`, or of wherever the reader is.
    public var isUTC: Bool
    /// The calendar's own name of the zone, mostly the IANA database's.
    public var timeZone: String?
    /// As written; nil: it was computed.
    public var rawValue: String?

    /// DTSTART or DTEND: `19970714T133000Z`, `19970714` (RFC 5545, 3.3.4 and 3.3.5).
    init?(_ line: ContentLine) {
        self.init(line.value.trimmingWhitespace)
        timeZone = isUTC ? nil : line.parameters.first { $0.name == "TZID" }?.value.orNil
    }

    init?(_ text: TextBytes) {
        let (date, time) = text.cut(at: "T")
        // The extended form of ISO 8601 is not iCalendar's, but common.
        let digits = date.filter { $0 != UInt8(ascii: "-") }[...]
        guard digits.count == 8, let year = digits.prefix(4).integer, let month = digits.dropFirst(4).prefix(2).integer,
            let day = digits.suffix(2).integer, CivilDate.isDay(year: year, month: month, day: day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        isUTC = time?.last == UInt8(ascii: "Z")
        rawValue = text.string
        guard let time else { return }
        let clock = (isUTC ? time.dropLast() : time).filter { $0 != UInt8(ascii: ":") }[...]
        guard clock.count == 6, let hours = clock.prefix(2).integer, let minutes = clock.dropFirst(2).prefix(2).integer,
            let seconds = clock.suffix(2).integer, 0...23 ~= hours, 0...59 ~= minutes, 0...60 ~= seconds
        else { return nil }
        (self.hours, self.minutes, self.seconds) = (hours, minutes, seconds)
    }

    /// On the clock of the same zone: a change to or from summer time in between is not known here.
    func advanced(by duration: CalendarDuration) -> CalendarTime? {
        let ofDay = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)
        let total = CivilDate.ordinal(year: year, month: month, day: day) * 86400 + ofDay + duration.seconds
        let ordinal = total >= 0 ? total / 86400 : (total - 86399) / 86400
        let date = CivilDate.date(ordinal: ordinal)
        guard CivilDate.isDay(year: date.year, month: date.month, day: date.day) else { return nil }
        var end = self
        (end.year, end.month, end.day) = date
        end.rawValue = nil
        if hours != nil || duration.seconds % 86400 != 0 {
            let rest = total - ordinal * 86400
            (end.hours, end.minutes, end.seconds) = (rest / 3600, rest / 60 % 60, rest % 60)
        }
        return end
    }

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("year", year)
        fields.add("month", month)
        fields.add("day", day)
        fields.add("hours", hours)
        fields.add("minutes", minutes)
        fields.add("seconds", seconds)
        fields.add("is_utc", flag: isUTC)
        fields.add("time_zone", timeZone)
        fields.add("raw_value", rawValue, shown: true)
        return fields
    }
}

/// How long an event takes (RFC 5545, 3.3.6).
struct CalendarDuration: Equatable {
    /// At most a thousand years.
    let seconds: Int

    /// `P15DT5H0M20S`, `P7W`, `-PT15M`.
    init?(_ text: TextBytes) {
        var rest = text
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard rest.popFirst() == UInt8(ascii: "P") else { return nil }
        var total = 0
        var isTime = false
        var units = 0
        while !rest.isEmpty {
            if rest.first == UInt8(ascii: "T"), !isTime {
                isTime = true
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { $0.isDigit }
            guard let count = digits.integer, count <= 400_000, let unit = rest[digits.endIndex...].first,
                let length = Self.length(of: unit, isTime)
            else { return nil }
            total += count * length
            units += 1
            rest = rest[(digits.endIndex + 1)...]
        }
        guard units > 0, total <= 1000 * 366 * 86400 else { return nil }
        seconds = isNegative ? -total : total
    }

    private static func length(of unit: UInt8, _ isTime: Bool) -> Int? {
        switch unit {
        case UInt8(ascii: "W") where !isTime: 7 * 86400
        case UInt8(ascii: "D") where !isTime: 86400
        case UInt8(ascii: "H") where isTime: 3600
        case UInt8(ascii: "M") where isTime: 60
        case UInt8(ascii: "S") where isTime: 1
        default: nil
        }
    }
}
