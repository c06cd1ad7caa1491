// SPDX-License-Identifier: Apache-2.0
extension PatternParser {
    /// Characters in brackets (XBD 9.3.5), after the `[`. `]` that comes first is itself, and so is `-` that comes
    /// first or last.
    mutating func bracketExpression() throws(ValuePattern.Problem) -> CharacterRanges {
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        repeat {
            if let named = try characterClass() {
                ranges += named.ranges
            } else {
                ranges.append(try range(isFirst: ranges.isEmpty))
            }
        } while !take("]")
        let characters = CharacterRanges(ranges)
        return isNegated ? characters.inverted : characters
    }

    private mutating func range(isFirst: Bool) throws(ValuePattern.Problem) -> ClosedRange<UInt32> {
        let isEdge = isFirst || rest.dropFirst().first == "]"
        guard rest.first != "-" || isEdge else {
            throw Self.malformed("a - in brackets is neither first nor last nor between two characters")
        }
        let lower = try bracketCharacter().value
        guard rest.first == "-", rest.dropFirst().first != "]" else { return lower...lower }
        rest.removeFirst()
        let upper = try bracketCharacter().value
        guard lower <= upper else { throw Self.malformed("a range in brackets ends before it begins") }
        return lower...upper
    }

    private mutating func bracketCharacter() throws(ValuePattern.Problem) -> Unicode.Scalar {
        guard let scalar = rest.popFirst() else { throw Self.unclosed }
        guard scalar == "[" else { return scalar }
        switch rest.first {
        case ".": throw ValuePattern.Problem(text: "must not have collating elements as [.x.]")
        case "=": throw ValuePattern.Problem(text: "must not have equivalence classes as [=x=]")
        case ":": throw Self.malformed("a range in brackets ends with a class")
        default: return scalar
        }
    }

    /// `[:alpha:]` and the like, if that is what comes next.
    private mutating func characterClass() throws(ValuePattern.Problem) -> CharacterRanges? {
        guard rest.starts(with: ["[", ":"]) else { return nil }
        let content = rest.dropFirst(2)
        guard let end = content.firstIndex(of: ":"), content[end...].starts(with: [":", "]"]) else {
            throw Self.unclosed
        }
        let name = String(String.UnicodeScalarView(content[..<end]))
        guard let named = CharacterRanges.classes[name] else {
            let names = CharacterRanges.classes.keys.sorted().joined(separator: ", ")
            throw Self.malformed("in brackets, [:class:] is one of \(names)")
        }
        rest = content[(end + 2)...]
        return named
    }

    private static var unclosed: ValuePattern.Problem { malformed("a [ is not closed") }
}
