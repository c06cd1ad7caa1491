/// A pattern's answers for the last values: a track says its value in every line, and a filter that begins looks at thousands of lines at once.
struct PatternAnswers {
    /// More values than are in sight at a time. Then all are forgotten.
    static let mostKept = 64

    private(set) var matcher: PatternMatcher
    private var kept: [ExactText: Bool] = [:]

    init(_ program: PatternProgram) { matcher = PatternMatcher(program) }

    mutating func isFound(in value: String) -> Bool {
        let key = ExactText(text: value)
        if let answer = kept[key] { return answer }
        if kept.count == Self.mostKept { kept.removeAll(keepingCapacity: true) }
        let answer = matcher.isFound(in: value)
        kept[key] = answer
        return answer
    }
}

/// Equal when all bytes are: `String` takes "é" and "e\u{301}" for the same.
private struct ExactText: Hashable {
    let text: String

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
