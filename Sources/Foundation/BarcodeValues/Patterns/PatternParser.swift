// SPDX-License-Identifier: Apache-2.0
/// Reads POSIX extended regular expressions (IEEE Std 1003.1-2017, XBD 9.4). Recursion goes as deep as groups are
/// nested.
struct PatternParser {
    static let deepestNesting = 64

    var rest: ArraySlice<Unicode.Scalar>
    private var openGroups = 0

    private init(_ text: String) { rest = Array(text.unicodeScalars)[...] }

    static func parse(_ text: String) throws(ValuePattern.Problem) -> PatternExpression {
        var parser = PatternParser(text)
        return try parser.alternatives()
    }

    static func malformed(_ what: String) -> ValuePattern.Problem {
        ValuePattern.Problem(text: "is not a regular expression: \(what)")
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func alternatives() throws(ValuePattern.Problem) -> PatternExpression {
        var branches = [try branch()]
        while take("|") { branches.append(try branch()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func branch() throws(ValuePattern.Problem) -> PatternExpression {
        var parts: [PatternExpression] = []
        while let scalar = rest.first, scalar != "|", scalar != ")" || openGroups == 0 {
            rest.removeFirst()
            parts.append(try part(scalar))
        }
        return .sequence(parts)
    }

    private mutating func part(_ scalar: Unicode.Scalar) throws(ValuePattern.Problem) -> PatternExpression {
        switch scalar {
        case "^": return .assertion(.valueStart)
        case "$": return .assertion(.valueEnd)
        case "\\": return try escaped()
        case "(": return try repeated(group())
        case "[": return try repeated(.character(bracketExpression()))
        case ".": return try repeated(.character(.any))
        case "*", "+", "?", "{": throw Self.malformed("\(scalar) has nothing to repeat")
        default: return try repeated(Self.literal(scalar))
        }
    }

    private static func literal(_ scalar: Unicode.Scalar) -> PatternExpression {
        .character(CharacterRanges([scalar.value...scalar.value]))
    }

    private mutating func group() throws(ValuePattern.Problem) -> PatternExpression {
        guard openGroups < Self.deepestNesting else {
            throw ValuePattern.Problem(text: "must not have more than \(Self.deepestNesting) groups inside each other")
        }
        openGroups += 1
        let inside = try alternatives()
        guard take(")") else { throw Self.malformed("a ( is not closed") }
        openGroups -= 1
        return inside
    }

    private mutating func escaped() throws(ValuePattern.Problem) -> PatternExpression {
        guard let scalar = rest.popFirst() else { throw Self.malformed("it ends with \\") }
        switch scalar {
        case "<": return .assertion(.wordStart)
        case ">": return .assertion(.wordEnd)
        case "b": return .assertion(.wordEdge)
        case "B": return .assertion(.noWordEdge)
        case "`": return .assertion(.valueStart)
        case "'": return .assertion(.valueEnd)
        case "w": return try repeated(.character(.word))
        case "W": return try repeated(.character(CharacterRanges.word.inverted))
        case "s": return try repeated(.character(.space))
        case "S": return try repeated(.character(CharacterRanges.space.inverted))
        case "1"..."9":
            throw ValuePattern.Problem(text: "must not have back-references: their cost has no bound")
        case "0", "a"..."z", "A"..."Z": throw Self.malformed("\\\(scalar) is not supported")
        default: return try repeated(Self.literal(scalar))
        }
    }

    /// With whatever repetitions follow.
    private mutating func repeated(_ once: PatternExpression) throws(ValuePattern.Problem) -> PatternExpression {
        var expression = once
        while true {
            if take("*") {
                expression = .repeated(expression, atLeast: 0, atMost: nil)
            } else if take("+") {
                expression = .repeated(expression, atLeast: 1, atMost: nil)
            } else if take("?") {
                expression = .repeated(expression, atLeast: 0, atMost: 1)
            } else if take("{") {
                let (least, most) = try bounds()
                expression = .repeated(expression, atLeast: least, atMost: most)
            } else {
                return expression
            }
        }
    }

    /// `m}`, `m,}`, `m,n}`, `,n}` or `,}`.
    private mutating func bounds() throws(ValuePattern.Problem) -> (least: Int, most: Int?) {
        guard let end = rest.firstIndex(of: "}") else { throw Self.malformed("a { is not closed") }
        let numbers = rest[..<end].split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        rest = rest[(end + 1)...]
        let least = try Self.number(numbers[0])
        guard let last = numbers.dropFirst().first else {
            guard let least else { throw Self.malformed("{} has no number") }
            return (least, least)
        }
        let most = try Self.number(last)
        guard (least ?? 0) <= most ?? .max else { throw Self.malformed("in {m,n} the n is less than the m") }
        return (least ?? 0, most)
    }

    /// Nil: nothing is there.
    private static func number(_ digits: ArraySlice<Unicode.Scalar>) throws(ValuePattern.Problem) -> Int? {
        guard digits.allSatisfy({ ("0"..."9").contains($0) }) else {
            throw malformed("between { and } there is something else than {m}, {m,}, {m,n} or {,n}")
        }
        guard !digits.isEmpty else { return nil }
        let number = Int(String(String.UnicodeScalarView(digits)))
        guard let number, number <= PatternProgram.mostStates else { throw PatternProgram.tooLarge }
        return number
    }
}
