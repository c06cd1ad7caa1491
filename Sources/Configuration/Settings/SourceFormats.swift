// SPDX-License-Identifier: Apache-2.0
extension ValueFormat<FrameRate> {
    /// 1 to 1000 frames per second: `15`, or `"30000/1001"`.
    static var frameRate: Self {
        let write = { @Sendable (rate: FrameRate) -> TOMLNode? in
            rate.denominator == 1 ? .integer(rate.numerator) : .string("\(rate.numerator)/\(rate.denominator)")
        }
        return .init("1 to 1000, or a fraction", write) { node throws(ValueProblem) in
            let expected = "an integer or a fraction such as \"30000/1001\""
            switch node {
            case .integer(let rate):
                guard (1...1000).contains(rate) else { throw .init("must be 1 to 1000, not \(rate)") }
                return FrameRate(rate)
            case .string(let text):
                let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
                guard parts.count == 2, let numerator = parts[0], let denominator = parts[1] else {
                    throw .init("must be \(expected), not \(quoted(text))")
                }
                let limit = 1...1_000_000
                guard limit.contains(numerator), limit.contains(denominator), numerator <= 1000 * denominator else {
                    throw .init("must be more than 0 and at most 1000, not \(quoted(text))")
                }
                return FrameRate(numerator, denominator)
            default: throw .wrongType(expected, node)
            }
        }
    }
}

extension ValueFormat<RotationSetting> {
    static var rotation: Self {
        let write = { @Sendable (rotation: RotationSetting) -> TOMLNode? in
            if case .fixed(let degrees) = rotation { .integer(degrees.rawValue) } else { .string("auto") }
        }
        return .init("\"auto\", 0, 90, 180 or 270", write) { node throws(ValueProblem) in
            let expected = "\"auto\", 0, 90, 180 or 270"
            switch node {
            case .string("auto"): return .auto
            case .integer(let degrees):
                guard let degrees = RotationSetting.Degrees(rawValue: degrees) else {
                    throw .init("must be \(expected), not \(degrees)")
                }
                return .fixed(degrees)
            case .string(let text):
                let isNumber = Int(text).flatMap(RotationSetting.Degrees.init) != nil
                throw .init(
                    "must be \(expected), not \(quoted(text))", suggestion: isNumber ? "without the quotes" : nil)
            default: throw .wrongType(expected, node)
            }
        }
    }
}

extension ValueFormat<String> {
    static var devicePath: Self {
        nonEmptyText.checked("path of a device") { text throws(ValueProblem) in
            guard text.hasPrefix("/") else {
                throw .init(
                    "must be a device file's whole path, not \(quoted(text))", suggestion: "such as /dev/video0")
            }
        }
    }

    /// `scene`, or a pattern of GStreamer 1.22's videotestsrc (`gst-inspect-1.0 videotestsrc`).
    static var testPattern: Self {
        let patterns = [
            "scene", "smpte", "snow", "black", "white", "red", "green", "blue", "checkers-1", "checkers-2",
            "checkers-4", "checkers-8", "circular", "blink", "smpte75", "zone-plate", "gamut", "chroma-zone-plate",
            "solid-color", "ball", "smpte100", "bar", "pinwheel", "spokes", "gradient", "colors", "smpte-rp-219",
        ]
        return text.checked("\"scene\", or a pattern of videotestsrc") { text throws(ValueProblem) in
            guard patterns.contains(text) else {
                throw .init(
                    "must be \"scene\" or a pattern of videotestsrc, not \(quoted(text))",
                    suggestion: didYouMean(text, among: patterns) ?? "one of " + patterns.joined(separator: ", "))
            }
        }
    }
}
