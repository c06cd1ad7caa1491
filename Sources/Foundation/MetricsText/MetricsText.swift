/// Writes metrics in a text format. The samples of a family stand together, after its help and type.
package struct MetricsText: Sendable {
    private static let end = Array("# EOF\n".utf8)

    package let format: MetricsFormat
    /// The text so far, without the end that OpenMetrics requires.
    private var text: [UInt8] = []

    package init(_ format: MetricsFormat, reservingCapacity capacity: Int = 8192) {
        self.format = format
        text.reserveCapacity(capacity)
    }

    /// Continues a complete text of the same format.
    package init(continuing text: [UInt8], _ format: MetricsFormat) {
        self.format = format
        self.text = text
        if format == .openMetrics, text.suffix(Self.end.count).elementsEqual(Self.end) {
            self.text.removeLast(Self.end.count)
        }
    }

    /// The complete text.
    package var bytes: [UInt8] { format == .openMetrics ? text + Self.end : text }

    /// Writes a family with its samples. A family may be written once.
    ///
    /// - Parameter samples: writes the samples, all with the family's labels.
    package mutating func family(_ family: MetricFamily, _ samples: (inout MetricSamples) -> Void) {
        let isTotal = format == .openMetrics && family.kind == .counter && family.name.hasSuffix("_total")
        let name = isTotal ? String(family.name.dropLast(6)) : family.name
        text += Array("# HELP \(name) \(family.help).\n# TYPE \(name) \(family.kind.rawValue)\n".utf8)
        var writer = MetricSamples(family, text: text)
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
    fileprivate var text: [UInt8]

    fileprivate init(_ family: MetricFamily, text: [UInt8]) {
        self.family = family
        name = Array(family.name.utf8)
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
        var total: UInt64 = 0
        for (index, count) in counts.enumerated() {
            let (next, overflows) = total.addingReportingOverflow(count)
            total = overflows ? .max : next
            text += name
            text += Self.bucket
            if labels.isEmpty {
                text.append(UInt8(ascii: "{"))
            } else {
                text += labels.dropLast()
                text.append(UInt8(ascii: ","))
            }
            text += Self.bound
            if index < bounds.count { append(seconds: bounds[index]) } else { text += Self.infinity }
            text += Self.endOfBound
            append(.count(total))
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

    private static let bucket = Array("_bucket".utf8)
    private static let bound = Array("le=\"".utf8)
    private static let infinity = Array("+Inf".utf8)
    private static let endOfBound = Array("\"}".utf8)
    private static let sum = Array("_sum".utf8)
    private static let count = Array("_count".utf8)

    private mutating func append(labels values: [MetricLabel]) {
        assert(values.count == family.labels.count, family.name)
        var separator = UInt8(ascii: "{")
        for (name, value) in zip(family.labels, values) where !value.bytes.isEmpty {
            text.append(separator)
            separator = UInt8(ascii: ",")
            text += name.utf8
            text.append(UInt8(ascii: "="))
            text.append(UInt8(ascii: "\""))
            text += value.bytes
            text.append(UInt8(ascii: "\""))
        }
        if separator == UInt8(ascii: ",") { text.append(UInt8(ascii: "}")) }
    }

    private mutating func append(_ value: MetricValue) {
        text.append(UInt8(ascii: " "))
        switch value {
        case .count(let number): append(digits: number)
        case .microseconds(let time): append(seconds: time)
        }
        text.append(UInt8(ascii: "\n"))
    }

    /// The shortest decimal fraction; OpenMetrics requires a digit behind the point.
    private mutating func append(seconds microseconds: UInt64) {
        append(digits: microseconds / 1_000_000)
        text.append(UInt8(ascii: "."))
        var (rest, digits) = (microseconds % 1_000_000, 6)
        while digits > 1, rest % 10 == 0 { (rest, digits) = (rest / 10, digits - 1) }
        var divisor: UInt64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(rest / divisor % 10))
            divisor /= 10
        }
    }

    private mutating func append(digits number: UInt64) {
        if number < 10 { return text.append(UInt8(ascii: "0") + UInt8(number)) }
        var (divisor, rest) = (UInt64(1), number / 10)
        while rest > 0 { (divisor, rest) = (divisor * 10, rest / 10) }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}

/// The value of a label, escaped once for all its samples.
package struct MetricLabel: Sendable, ExpressibleByStringLiteral {
    fileprivate let bytes: [UInt8]

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
    }

    package init(stringLiteral value: String) { self.init(value) }
}
