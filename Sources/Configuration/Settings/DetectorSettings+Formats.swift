// SPDX-License-Identifier: Apache-2.0
extension ValueFormat<RegionOfInterest> {
    /// `[x, y, width, height]`. A rounding error past the right or lower edge is none.
    static var region: Self {
        let back = { @Sendable (roi: RegionOfInterest) in [roi.x, roi.y, roi.width, roi.height] }
        return ValueFormat<[Double]>.list(.proportion).map("[x, y, width, height]", back: back) {
            numbers throws(ValueProblem) in
            guard numbers.count == 4 else {
                throw .init("must be four numbers, [x, y, width, height], not \(numbers.count)")
            }
            let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
            guard width > 0, height > 0 else { throw .init("must have a width and a height of more than 0") }
            guard x + width <= 1 + 1e-9, y + height <= 1 + 1e-9 else {
                throw .init("must lie inside the picture", suggestion: "x + width and y + height are at most 1")
            }
            return RegionOfInterest(x: x, y: y, width: width, height: height)
        }
    }
}

extension TrackingSettings {
    /// Reports the values that do not go together.
    func check(_ reader: TableReader) {
        if !enabled {
            for key in reader.keys where key != "enabled" {
                reader.report(key, "\(key) applies only to tracking that is enabled")
            }
        }
        if let low, let high, low > high {
            reader.report(
                "low", "low must not be above high",
                suggestion: "detections between low and high are matched last")
        }
        if let high, let birth, high > birth {
            reader.report(
                "high", "high must not be above birth",
                suggestion: "a detection that starts a track must also be able to continue one")
        }
        if let low, let birth, high == nil, low > birth {
            reader.report("low", "low must not be above birth", suggestion: "detections below low are ignored")
        }
        if focus == .value, !reader.has("focus_value") {
            reader.report("focus", "focus = \"value\" needs the key focus_value", suggestion: "the text to follow")
        }
        if focus != .value, focusValue != nil {
            reader.report("focus_value", "focus_value applies only to focus = \"value\"")
        }
    }
}

extension ValueFormat<FocusSetting> {
    static func focus(among focuses: [FocusSetting]) -> Self {
        let list = focuses.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return choice().checked(list) { focus throws(ValueProblem) in
            if !focuses.contains(focus) { throw .init("must be one of \(list) here, not \"\(focus.rawValue)\"") }
        }
    }
}

extension ValueFormat<[String]> {
    /// Names of classes that are taken for each other.
    static var classGroup: Self {
        ValueFormat.list(.nonEmptyText).checked("[class, class, ...]") { names throws(ValueProblem) in
            guard Set(names).count >= 2 else {
                throw .init("must name two classes or more", suggestion: "such as [\"car\", \"truck\"]")
            }
        }
    }
}
