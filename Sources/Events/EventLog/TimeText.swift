// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

/// A time as people write it.
package enum TimeText {
    package static let forms = "2026-11-20, 2026-11-20T08:00:00Z, 2026-11-20T09:00+01:00 and 2h (a duration before now)"

    /// Parses a date with an optional time of day and an optional offset; the default is UTC. Also parses a duration
    /// before now: a whole number and `s`, `m`, `h` or `d`.
    ///
    /// - Returns: nil for any other text, and for times before 1677 or after 2262.
    package static func parse(_ text: String) -> Timestamp? { ago(text) ?? date(text) }

    private static func ago(_ text: String) -> Timestamp? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), text.first != "+", let count = Int64(text.dropLast()),
            (0..<100_000).contains(count)
        else { return nil }
        return Moment.now.time.advanced(byNanoseconds: -count * unit * 1_000_000_000)
    }

    private static func date(_ text: String) -> Timestamp? {
        let form = /(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):(\d{2}))?)?/
        guard let (_, day, minute, second, fraction, sign, hours, minutes) = text.wholeMatch(of: form)?.output
        else { return nil }
        let decimals = (fraction ?? "") + String(repeating: "0", count: 9 - (fraction?.count ?? 0))
        let clock = "\(day)T\(minute ?? "00:00"):\(second ?? "00").\(decimals)Z"
        // Rejects dates such as 31 February, which would become a day in March.
        guard let time = Timestamp(rfc3339: clock), time.rfc3339 == clock,
            let hours = Int64(hours ?? "0"), let minutes = Int64(minutes ?? "0"), hours < 24, minutes < 60
        else { return nil }
        let offset = (hours * 60 + minutes) * 60_000_000_000 * (sign == "-" ? -1 : 1)
        let (nanoseconds, overflow) = time.nanoseconds.subtractingReportingOverflow(offset)
        return overflow ? nil : Timestamp(nanoseconds: nanoseconds)
    }
}
