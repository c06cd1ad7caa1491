// SPDX-License-Identifier: Apache-2.0
/// An automaton without back-tracking: each state says where to go on from it. `states[0]` is the first.
///
/// Construction: Ken Thompson, "Regular Expression Search Algorithm", CACM 11 (6), 1968. `x{m,n}` is written out, and
/// is all that makes a program longer than its pattern.
struct PatternProgram {
    enum State {
        /// Takes a character of those in `ranges` at these places; then the next state.
        case character(Range<Int>)
        /// The next state, if it holds.
        case assertion(PatternAssertion)
        /// The next state, and this one.
        case fork(Int)
        case jump(Int)
        case found
    }

    static let mostStates = 512
    static let tooLarge = ValuePattern.Problem(
        text: "is too large: with its repetitions written out it has more than \(mostStates) states")

    private(set) var states: [State] = []
    /// Whether a match can begin at the value's start only: every way from the first state meets `^` before a character
    /// or the end.
    private(set) var isAnchored = false
    /// The ranges of all states, the ranges of each state in ascending order.
    private(set) var ranges: [ClosedRange<UInt32>] = []
    /// While it is being made: what is written out again shares its ranges.
    private var placesOfRanges: [CharacterRanges: Range<Int>] = [:]

    init(_ expression: PatternExpression) throws(ValuePattern.Problem) {
        try append(expression)
        try append(State.found)
        placesOfRanges = [:]
        isAnchored = everyWayIsAnchored
    }

    private var everyWayIsAnchored: Bool {
        var seen = Set<Int>()
        var pending = [0]
        while let state = pending.popLast() {
            guard seen.insert(state).inserted else { continue }
            switch states[state] {
            case .assertion(.valueStart): continue
            case .assertion: pending.append(state + 1)
            case .fork(let other): pending += [other, state + 1]
            case .jump(let other): pending.append(other)
            case .character, .found: return false
            }
        }
        return true
    }

    @discardableResult
    private mutating func append(_ state: State) throws(ValuePattern.Problem) -> Int {
        guard states.count < Self.mostStates else { throw Self.tooLarge }
        states.append(state)
        return states.count - 1
    }

    private mutating func append(_ expression: PatternExpression) throws(ValuePattern.Problem) {
        switch expression {
        case .character(let characters): try append(State.character(places(of: characters)))
        case .assertion(let assertion): try append(State.assertion(assertion))
        case .sequence(let parts): for part in parts { try append(part) }
        case .alternatives(let branches): try append(alternatives: branches)
        case .repeated(let body, let least, let most):
            // `x{m,}` is m - 1 times `x`, and `x+`; `x*` is `(x+)?`.
            let copies = most == nil ? max(0, least - 1) : least
            for _ in 0..<copies {
                let start = states.count
                try append(body)
                // Nothing at all is not to be written out five hundred times in five hundred times.
                guard states.count > start else { return }
            }
            if let most {
                try append(optional: body, times: most - least)
            } else {
                let skip = least == 0 ? try append(State.fork(0)) : nil
                let start = states.count
                try append(body)
                try append(State.fork(start))
                if let skip { states[skip] = .fork(states.count) }
            }
        }
    }

    private mutating func append(alternatives branches: [PatternExpression]) throws(ValuePattern.Problem) {
        var jumps: [Int] = []
        for branch in branches.dropLast() {
            let fork = try append(State.fork(0))
            try append(branch)
            jumps.append(try append(State.jump(0)))
            states[fork] = .fork(states.count)
        }
        if let last = branches.last { try append(last) }
        for jump in jumps { states[jump] = .jump(states.count) }
    }

    /// `(x(x(x)?)?)?`
    private mutating func append(optional body: PatternExpression, times: Int) throws(ValuePattern.Problem) {
        var forks: [Int] = []
        for _ in 0..<times {
            forks.append(try append(State.fork(0)))
            try append(body)
        }
        for fork in forks { states[fork] = .fork(states.count) }
    }

    private mutating func places(of characters: CharacterRanges) -> Range<Int> {
        if let places = placesOfRanges[characters] { return places }
        let start = ranges.count
        ranges += characters.ranges
        placesOfRanges[characters] = start..<ranges.count
        return start..<ranges.count
    }
}
