// SPDX-License-Identifier: Apache-2.0
/// Durations and byte counts as the configuration writes them: a whole number and a unit, nothing between them.
enum Units {
    /// Seconds of each unit, smallest first.
    static let durations: [(unit: String, length: Duration)] = [
        ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600)),
        ("d", .seconds(86400)),
    ]

    /// Powers of 1024 with an i, of 1000 without.
    static let bytes: [(unit: String, size: Int)] = [
        ("B", 1), ("kB", 1000), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ]

    /// `250ms`, `10s`, `2m`, `1h`, `1d`; nil if it is not one or over a million days.
    static func duration(_ text: String) -> Duration? {
        guard let (number, unit) = split(text), let length = durations.first(where: { $0.unit == unit })?.length,
            number <= 86_400_000_000
        else { return nil }
        let duration = length * number
        return duration <= .seconds(86_400_000_000) ? duration : nil
    }

    /// `64MiB`, `4KiB`, `1GB`, `0`; nil if it is not one or does not fit.
    static func byteCount(_ text: String) -> Int? {
        if text == "0" { return 0 }
        guard let (number, unit) = split(text), let size = bytes.first(where: { $0.unit == unit })?.size else {
            return nil
        }
        let (count, overflow) = number.multipliedReportingOverflow(by: size)
        return overflow ? nil : count
    }

    /// In the largest unit that says it exactly, down to milliseconds.
    static func text(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        for (unit, length) in durations.reversed() {
            let size = length.components.seconds * 1000 + length.components.attoseconds / 1_000_000_000_000_000
            if milliseconds % size == 0, milliseconds != 0 { return "\(milliseconds / size)\(unit)" }
        }
        return "0s"
    }

    /// In the largest binary unit that says it exactly.
    static func text(byteCount: Int) -> String {
        for (unit, size) in bytes.reversed() where unit.hasSuffix("iB") && byteCount != 0 && byteCount % size == 0 {
            return "\(byteCount / size)\(unit)"
        }
        return byteCount == 0 ? "0" : "\(byteCount)B"
    }

    /// `0...9` digits, then letters.
    private static func split(_ text: String) -> (Int, String)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let number = Int(digits) else { return nil }
        return (number, String(text.dropFirst(digits.count)))
    }
}
