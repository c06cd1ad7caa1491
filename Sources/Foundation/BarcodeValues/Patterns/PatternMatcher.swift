// SPDX-License-Identifier: Apache-2.0
/// Looks for a pattern in values by being in all of its program's states at a time.
///
/// A state is reached at most once in each place of a value, however many ways lead to it. So a value takes at most
/// states times places steps, loops over nothing end, and the search never goes back. Source: Russ Cox, "Regular
/// Expression Matching Can Be Simple And Fast", 2007.
///
/// The pattern may begin in every place. The search ends in the first place in which the pattern is found. All memory
/// is taken when the matcher is made.
struct PatternMatcher {
    private let program: PatternProgram
    /// For each state the last step in which it was reached; steps are counted over all values.
    private var reached: [UInt64]
    private var step: UInt64 = 0
    /// States that wait for the character in hand, and for the one after it.
    private var (waiting, following): ([Int], [Int]) = ([], [])
    /// States that were reached and not looked at yet.
    private var pending: [Int] = []
    /// The characters of the current value.
    private var characters = ValueBeginning("")
    private var place = Place(previous: nil, next: nil)
    /// How many states were reached in all.
    private(set) var visits: UInt64 = 0

    init(_ program: PatternProgram) {
        self.program = program
        let count = program.states.count
        reached = Array(repeating: 0, count: count)
        waiting.reserveCapacity(count)
        following.reserveCapacity(count)
        pending.reserveCapacity(count)
    }

    /// Takes a value in hand; what was in hand before is dropped.
    mutating func begin(_ value: String) {
        characters = ValueBeginning(value)
        place = Place(previous: nil, next: characters.next())
        following.removeAll(keepingCapacity: true)
        step += 1
    }

    /// Looks for the pattern in the value in hand, from where it left off.
    ///
    /// - Parameter steps: that it may take; less those that it took, which is below zero where the last place took
    ///   more.
    /// - Returns: nil when there are no more steps.
    mutating func isFound(steps: inout Int) -> Bool? {
        let visited = visits
        let limit = steps
        defer { steps = limit - Int(visits - visited) }
        while Int(visits - visited) < limit {
            // A pattern that begins with `^` is not tried again, and without a way in hand it is not there.
            if place.previous == nil || !program.isAnchored {
                if reach(0, in: place) { return true }
            } else if following.isEmpty {
                return false
            }
            guard let character = place.next else { return false }
            place = Place(previous: character, next: characters.next())
            swap(&waiting, &following)
            following.removeAll(keepingCapacity: true)
            step += 1
            for state in waiting {
                guard case .character(let places) = program.states[state],
                    program.ranges.contain(character, in: places)
                else { continue }
                if reach(state + 1, in: place) { return true }
            }
        }
        return nil
    }

    /// Goes on from a state to all that take no character to come to.
    ///
    /// - Returns: whether the pattern has been found.
    private mutating func reach(_ first: Int, in place: Place) -> Bool {
        var state = first
        while true {
            if reached[state] != step {
                reached[state] = step
                visits += 1
                switch program.states[state] {
                case .character: following.append(state)
                case .assertion(let assertion):
                    if assertion.holds(after: place.previous, before: place.next) {
                        state += 1
                        continue
                    }
                case .fork(let other):
                    pending.append(other)
                    state += 1
                    continue
                case .jump(let other):
                    state = other
                    continue
                case .found:
                    pending.removeAll(keepingCapacity: true)
                    return true
                }
            }
            guard let other = pending.popLast() else { return false }
            state = other
        }
    }
}

/// Between two characters of a value.
private struct Place {
    let previous: UInt32?
    let next: UInt32?
}

/// The characters of a value that are in its first bytes.
private struct ValueBeginning: IteratorProtocol {
    private var scalars: String.UnicodeScalarView.Iterator
    private var bytes = ValuePattern.longestValue

    init(_ value: String) { scalars = value.unicodeScalars.makeIterator() }

    mutating func next() -> UInt32? {
        guard let scalar = scalars.next() else { return nil }
        bytes -= UTF8.width(scalar)
        return bytes < 0 ? nil : scalar.value
    }
}
