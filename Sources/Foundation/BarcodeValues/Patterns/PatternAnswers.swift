// SPDX-License-Identifier: Apache-2.0
/// A pattern's answers for the last values. A track repeats its value in every line, and a new filter looks at
/// thousands of lines at once.
struct PatternAnswers {
    /// More values than are in sight at a time. Then all are forgotten.
    static let mostKept = 64

    private(set) var matcher: PatternMatcher
    private var kept: [ExactText: Bool] = [:]
    /// The value that the matcher has in hand.
    private var begun: ExactText?

    init(_ program: PatternProgram) { matcher = PatternMatcher(program) }

    /// - Parameter steps: that looking may take; less those that it took.
    /// - Returns: nil when there are no more steps: the same value asked about again is gone on with.
    mutating func isFound(in value: String, steps: inout Int) -> Bool? {
        let key = ExactText(beginningOf: value)
        if let answer = kept[key] { return answer }
        if begun != key {
            matcher.begin(key.text)
            begun = key
        }
        guard let answer = matcher.isFound(steps: &steps) else { return nil }
        begun = nil
        if kept.count == Self.mostKept { kept.removeAll(keepingCapacity: true) }
        kept[key] = answer
        return answer
    }
}

/// Equal when all bytes are: `String` takes "é" and "e\u{301}" for the same.
private struct ExactText: Hashable {
    let text: String

    /// - Parameter value: of which what is looked at is kept, and no more.
    init(beginningOf value: String) {
        let end = value.utf8.index(value.startIndex, offsetBy: ValuePattern.longestValue, limitedBy: value.endIndex)
        text = end.map { String(value.unicodeScalars[..<$0]) } ?? value
    }

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
