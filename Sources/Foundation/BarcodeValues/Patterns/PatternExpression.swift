// SPDX-License-Identifier: Apache-2.0
/// A pattern as a tree.
indirect enum PatternExpression {
    /// One character of these.
    case character(CharacterRanges)
    /// Nothing, in a certain place.
    case assertion(PatternAssertion)
    /// One after the other; of none, nothing at all.
    case sequence([PatternExpression])
    case alternatives([PatternExpression])
    /// `atMost` nil: as often as there are.
    case repeated(PatternExpression, atLeast: Int, atMost: Int?)
}

/// A condition on a place between two characters.
enum PatternAssertion {
    /// `^`
    case valueStart
    /// `$`
    case valueEnd
    /// `\<`
    case wordStart
    /// `\>`
    case wordEnd
    /// `\b`
    case wordEdge
    /// `\B`
    case noWordEdge

    /// - Parameters:
    ///   - previous: the character before the place, nil at the value's start.
    ///   - next: the one after it, nil at the value's end.
    func holds(after previous: UInt32?, before next: UInt32?) -> Bool {
        let leavesWord = previous.map(CharacterRanges.isInWord) ?? false
        let entersWord = next.map(CharacterRanges.isInWord) ?? false
        return switch self {
        case .valueStart: previous == nil
        case .valueEnd: next == nil
        case .wordStart: !leavesWord && entersWord
        case .wordEnd: leavesWord && !entersWord
        case .wordEdge: leavesWord != entersWord
        case .noWordEdge: leavesWord == entersWord
        }
    }
}
