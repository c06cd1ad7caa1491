extension DetectorSettings {
    /// The keys that stand in the detector's own table.
    mutating func decode(_ reader: TableReader) {
        reader.read("roi", .region, into: &roi)
        reader.read("max_rate", .number(0...1000), into: &maxRate)
    }
}

extension ValueFormat<RegionOfInterest> {
    /// `[x, y, width, height]`. A rounding error past the right or lower edge is none.
    static var region: Self {
        ValueFormat<[Double]>.list(.proportion).map { numbers throws(ValueProblem) in
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
    /// - Parameters:
    ///   - focuses: the values of `focus` that this detector can have.
    ///   - hasClasses: whether its features have classes, which may be confusable.
    ///   - hasLandmarks: whether they are faces.
    ///   - hasIdentity: whether what they say tells a new track of one from another that ended.
    mutating func decode(
        _ reader: TableReader?, focuses: [FocusName], hasClasses: Bool = false, hasLandmarks: Bool = false,
        hasIdentity: Bool = false
    ) {
        guard let reader else { return }
        if hasLandmarks { decodeFaces(reader) }
        reader.read("preset", .choice(), into: &preset)
        reader.read("hits", .integer(1...100), into: &hits)
        reader.read("max_gap", .duration, into: &maxGap)
        reader.read("max_gap_frames", .integer(0...100_000), into: &maxGapFrames)
        decodeThresholds(reader)
        reader.read("capacity", .integer(1...1024), into: &capacity)
        if hasIdentity { reader.read("reentry", .duration(.zero...(.seconds(600))), into: &reentry) }
        reader.read("camera_shift", .boolean, into: &cameraShift)
        reader.read("smoothed_box", .boolean, into: &smoothedBox)
        if hasClasses { reader.read("confusable", .list(.classGroup), into: &confusable) }
        decodeFocus(reader, among: focuses)
        reader.finish()
    }

    private mutating func decodeFaces(_ reader: TableReader) {
        reader.read("enabled", .boolean, into: &enabled)
        reader.read("smoothed_landmarks", .boolean, into: &smoothedLandmarks)
        reader.read("landmark_hold", .duration(.zero...(.seconds(60))), into: &landmarkHold)
        guard !enabled else { return }
        for key in reader.keys where key != "enabled" {
            reader.report(key, "\(key) applies only to tracking that is enabled")
        }
    }

    private mutating func decodeThresholds(_ reader: TableReader) {
        reader.read("low", .proportion, into: &low)
        reader.read("high", .proportion, into: &high)
        reader.read("birth", .proportion, into: &birth)
        reader.read("certain", .proportion, into: &certain)
        if let low, let high, low > high {
            reader.report("low", "low must not be above high", suggestion: "what is below high is matched last")
        }
        if let high, let birth, high > birth {
            reader.report(
                "high", "high must not be above birth", suggestion: "what starts a track must also continue it")
        }
        if let low, let birth, high == nil, low > birth {
            reader.report("low", "low must not be above birth", suggestion: "what is below low is not looked at")
        }
    }

    private mutating func decodeFocus(_ reader: TableReader, among focuses: [FocusName]) {
        var name = FocusName.none
        reader.read("focus", .focus(among: focuses), into: &name)
        var value: String?
        if focuses.contains(.value) { reader.read("focus_value", .nonEmptyText, into: &value) }
        switch name {
        case .none: focus = .none
        case .largestFace: focus = .largestFace
        case .prominent: focus = .prominent
        case .central: focus = .central
        case .largest: focus = .largest
        case .value:
            if let value {
                focus = .value(value)
            } else if !reader.has("focus_value") {
                reader.report("focus", "focus = \"value\" needs the key focus_value", suggestion: "the text to follow")
            }
        }
        if name != .value, value != nil {
            reader.report("focus_value", "focus_value applies only to focus = \"value\"")
        }
    }

    /// The words of `focus`.
    enum FocusName: String, CaseIterable {
        case none
        case largestFace = "largest-face"
        case prominent, central, largest, value

        static let ofFaces: [FocusName] = [.none, .largestFace, .central, .largest]
        static let ofObjects: [FocusName] = [.none, .prominent, .central, .largest, .value]
        static let ofValues: [FocusName] = [.none, .central, .largest, .value]
    }
}

extension ValueFormat<TrackingSettings.FocusName> {
    static func focus(among names: [TrackingSettings.FocusName]) -> Self {
        choice().map { name throws(ValueProblem) in
            guard names.contains(name) else {
                let list = names.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw .init("must be one of \(list) here, not \"\(name.rawValue)\"")
            }
            return name
        }
    }
}

extension ValueFormat<[String]> {
    /// Names of classes that are taken for each other.
    static var classGroup: Self {
        ValueFormat.list(.nonEmptyText).map { names throws(ValueProblem) in
            guard Set(names).count >= 2 else {
                throw .init("must name two classes or more", suggestion: "such as [\"car\", \"truck\"]")
            }
            return names
        }
    }
}
