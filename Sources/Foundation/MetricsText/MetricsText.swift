// SPDX-License-Identifier: Apache-2.0
/// How the bytes of a text are written.
package enum MetricsEncoding: Sendable {
    case plain
    /// As a JSON string with its quotation marks. To escape a written text would take as long as to write it.
    case jsonString

    fileprivate var quote: [UInt8] { self == .plain ? Array("\"".utf8) : Array("\\\"".utf8) }
    fileprivate var newline: [UInt8] { self == .plain ? Array("\n".utf8) : Array("\\n".utf8) }
}

/// Writes metrics in a text format. The samples of a family stand together, after its help and type.
package struct MetricsText: Sendable {
    private static let end = Array("# EOF".utf8)

    package let format: MetricsFormat
    private let encoding: MetricsEncoding
    /// The text so far, without the end that OpenMetrics requires.
    private var text: [UInt8] = []

    package init(
        _ format: MetricsFormat, encoding: MetricsEncoding = .plain, reservingCapacity capacity: Int = 8192
    ) {
        (self.format, self.encoding) = (format, encoding)
        text.reserveCapacity(capacity)
        if encoding == .jsonString { text.append(UInt8(ascii: "\"")) }
    }

    /// Continues a complete plain text of the same format.
    package init(continuing text: [UInt8], _ format: MetricsFormat) {
        (self.format, encoding, self.text) = (format, .plain, text)
        let end = Self.end + encoding.newline
        if format == .openMetrics, text.suffix(end.count).elementsEqual(end) { self.text.removeLast(end.count) }
    }

    /// The complete text.
    package consuming func finish() -> [UInt8] {
        if format == .openMetrics { text += Self.end + encoding.newline }
        if encoding == .jsonString { text.append(UInt8(ascii: "\"")) }
        return text
    }

    /// Writes a family with its samples. A family may be written once.
    ///
    /// - Parameter samples: writes the samples, all with the family's labels.
    package mutating func family(_ family: MetricFamily, _ samples: (inout MetricSamples) -> Void) {
        let isTotal = format == .openMetrics && family.kind == .counter && family.name.hasSuffix("_total")
        let name = isTotal ? String(family.name.dropLast(6)) : family.name
        text += "# HELP \(name) \(family.help).".utf8
        text += encoding.newline
        text += "# TYPE \(name) \(family.kind.rawValue)".utf8
        text += encoding.newline
        var writer = MetricSamples(family, encoding, text: text)
        text = []
        samples(&writer)
        text = writer.text
    }
}

/// A value of a sample.
package enum MetricValue: Sendable, Equatable {
    case count(UInt64)
    /// Printed in seconds.
    case microseconds(UInt64)
}

/// Writes the samples of one family.
package struct MetricSamples {
    private let family: MetricFamily
    private let name: [UInt8]
    /// The name of each label with `="`.
    private let labels: [[UInt8]]
    private let encoding: MetricsEncoding
    private let quote: [UInt8]
    private let newline: [UInt8]
    /// The end of a bucket's labels for each bound of `bounds`.
    private var ends: [[UInt8]] = []
    private var bounds: [UInt64] = []
    fileprivate var text: [UInt8]

    fileprivate init(_ family: MetricFamily, _ encoding: MetricsEncoding, text: [UInt8]) {
        self.family = family
        self.encoding = encoding
        (quote, newline) = (encoding.quote, encoding.newline)
        name = Array(family.name.utf8)
        labels = family.labels.map { Array("\($0)=".utf8) + encoding.quote }
        self.text = text
    }

    /// - Parameter values: the values of the labels, in the order of the family. An empty value leaves its label out.
    package mutating func sample(_ values: MetricLabel..., is value: MetricValue) {
        assert(family.kind != .histogram)
        text += name
        append(labels: values)
        append(value)
    }

    package mutating func sample(_ values: MetricLabel..., is number: some BinaryInteger) {
        text += name
        append(labels: values)
        append(.count(UInt64(clamping: number)))
    }

    /// Writes the samples of a histogram in seconds.
    ///
    /// - Parameters:
    ///   - bounds: the upper bounds of the buckets in microseconds, in ascending order.
    ///   - counts: the number of durations in each bucket; the last bucket has no upper bound.
    ///   - sum: in microseconds.
    package mutating func histogram(_ values: [MetricLabel], bounds: [UInt64], counts: [UInt64], sum: UInt64) {
        assert(family.kind == .histogram && counts.count == bounds.count + 1)
        let start = text.count
        append(labels: values)
        let labels = Array(text[start...])
        text.removeSubrange(start...)
        let opening = labels.isEmpty ? [UInt8(ascii: "{")] : labels.dropLast() + [UInt8(ascii: ",")]
        let bucket = name + Self.bucket + opening + Self.bound + quote
        if bounds != self.bounds { prepare(bounds) }
        var total: UInt64 = 0
        for (index, count) in counts.enumerated() {
            let (next, overflows) = total.addingReportingOverflow(count)
            total = overflows ? .max : next
            text += bucket
            text += ends[index]
            append(digits: total)
            text += newline
        }
        text += name
        text += Self.sum
        text += labels
        append(.microseconds(sum))
        text += name
        text += Self.count
        text += labels
        append(.count(total))
    }

    private mutating func prepare(_ bounds: [UInt64]) {
        self.bounds = bounds
        let start = text.count
        ends = bounds.map { bound in
            append(seconds: bound)
            defer { text.removeSubrange(start...) }
            return text[start...] + quote + Self.endOfLabels
        }
        ends.append(Self.infinity + quote + Self.endOfLabels)
    }

    private static let bucket = Array("_bucket".utf8)
    private static let bound = Array("le=".utf8)
    private static let infinity = Array("+Inf".utf8)
    private static let endOfLabels = Array("} ".utf8)
    private static let sum = Array("_sum".utf8)
    private static let count = Array("_count".utf8)

    private mutating func append(labels values: [MetricLabel]) {
        assert(values.count == family.labels.count, family.name)
        var separator = UInt8(ascii: "{")
        for (name, value) in zip(labels, values) where !value.bytes.isEmpty {
            text.append(separator)
            separator = UInt8(ascii: ",")
            text += name
            text += encoding == .plain || value.isPlain ? value.bytes : value.jsonBytes
            text += quote
        }
        if separator == UInt8(ascii: ",") { text.append(UInt8(ascii: "}")) }
    }

    private mutating func append(_ value: MetricValue) {
        text.append(UInt8(ascii: " "))
        switch value {
        case .count(let number): append(digits: number)
        case .microseconds(let time): append(seconds: time)
        }
        text += newline
    }

    /// The shortest decimal fraction; OpenMetrics requires a digit behind the point.
    private mutating func append(seconds microseconds: UInt64) {
        append(digits: microseconds / 1_000_000)
        text.append(UInt8(ascii: "."))
        var (fraction, digits) = (microseconds % 1_000_000, 6)
        while digits > 1, fraction % 10 == 0 { (fraction, digits) = (fraction / 10, digits - 1) }
        append(digits: fraction, atLeast: digits)
    }

    /// - Parameter least: the number of digits below which zeros precede the number.
    private mutating func append(digits number: UInt64, atLeast least: Int = 1) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var (rest, start) = (number, digits.count)
            while rest > 0 || digits.count - start < least {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            text.append(contentsOf: digits[start...])
        }
    }
}

/// The value of a label, escaped once for all its samples.
package struct MetricLabel: Sendable, ExpressibleByStringLiteral {
    fileprivate let bytes: [UInt8]
    /// Whether a JSON string needs no escapes for `bytes`.
    fileprivate let isPlain: Bool

    package init(_ value: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(value.utf8.count)
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            default: bytes.append(byte)
            }
        }
        self.bytes = bytes
        isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\\") }
    }

    /// `bytes` as in a JSON string.
    fileprivate var jsonBytes: [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): [UInt8(ascii: "\\"), byte]
            case ..<0x20: Array("\\u00".utf8) + [Self.hex[Int(byte >> 4)], Self.hex[Int(byte & 15)]]
            default: [byte]
            }
        }
    }

    private static let hex = Array("0123456789abcdef".utf8)

    package init(stringLiteral value: String) { self.init(value) }
}
