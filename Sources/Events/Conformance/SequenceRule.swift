// SPDX-License-Identifier: Apache-2.0
/// Checks that sequence numbers have no unexplained gaps. A `gap` line explains missing numbers, and `coalesced`
/// explains updates left out for a slow reader. The type is pure and stores one jump.
struct SequenceRule: Sendable {
    /// The meaning of a line for the lives of tracks.
    enum Step: Sendable, Equatable {
        case follows
        /// Updates before the line were left out.
        case skips
        /// A new segment begins here, without earlier events.
        case begins
        /// A new segment begins here, in the middle of the lives of tracks.
        case joins
        /// The line stands for missing lines.
        case loses
    }

    /// A jump in the numbers that `coalesced` has not fully explained yet.
    struct Jump: Sendable {
        var line: Int
        var bytes: [UInt8]
        var problem: String
        var missing: UInt64
        /// The bytes of the lines since the jump.
        var passed = 0
    }

    private enum Numbering: Sendable {
        case unknown
        /// The foreground command's lines have no numbers.
        case none
        /// - isFresh: whether no numbered line has arrived on this connection, so that a resumption may go back.
        case run(id: String, next: UInt64, isFresh: Bool)
    }

    /// The journal coalesces updates of a slow reader within stretches of 512 KiB.
    static let window = 512 * 1024

    private let isFiltered: Bool
    private var numbering = Numbering.unknown
    private(set) var runs: Set<String> = []
    private(set) var jump: Jump?
    /// The numbers before the first line of a resumed connection. The resume position is unknown, so these numbers need
    /// no explanation, and a `coalesced` may stand for them.
    private var before: UInt64 = 0

    init(isFiltered: Bool) {
        self.isFiltered = isFiltered
    }

    /// The sequence number of the newest event at `hello`; nil if a numbered line has followed.
    var newestAtHello: UInt64? {
        if case .run(_, let next, true) = numbering { next - 1 } else { nil }
    }

    // MARK: Lines of the log

    /// - Parameter line: the line's number in the stream.
    mutating func take(_ checked: CheckedLine, line: Int, bytes: [UInt8]) throws -> Step {
        guard let seq = checked.seq, let runID = checked.runID else {
            if case .run(_, let next, _) = numbering { throw Violation.Problem("no seq, expected \(next)") }
            numbering = .none
            return .follows
        }
        switch numbering {
        case .none: throw Violation.Problem("seq \(seq), expected no seq as in the earlier lines")
        case .unknown:
            guard seq == 1 || isFiltered else {
                throw Violation.Problem("seq \(seq), expected 1: neither hello nor gap explains the missing lines")
            }
            advance(to: seq, runID)
            return seq == 1 ? .begins : .joins
        case .run(let id, let next, let isFresh):
            guard id == runID else { throw Violation.Problem("run_id \(runID), expected \(id): no hello between") }
            guard seq >= next || isFresh else { throw Violation.Problem("seq \(seq), expected \(next)") }
            advance(to: seq, runID)
            if seq < next {
                before = seq - 1
                return seq == 1 ? .begins : .joins
            }
            if seq > next { jumped(to: seq, from: next, line: line, bytes: bytes) }
            try account(for: checked.coalesced ?? 0, bytes.count)
            return seq > next ? .skips : .follows
        }
    }

    private mutating func advance(to seq: UInt64, _ runID: String) {
        runs.insert(runID)
        numbering = .run(id: runID, next: seq == .max ? seq : seq + 1, isFresh: false)
    }

    private mutating func jumped(to seq: UInt64, from next: UInt64, line: Int, bytes: [UInt8]) {
        guard !isFiltered else { return }
        var jump =
            self.jump
            ?? Jump(
                line: line, bytes: bytes,
                problem: "seq \(seq), expected \(next): neither gap nor coalesced explains the missing lines",
                missing: 0)
        // The sum cannot overflow, because numbers only ascend.
        jump.missing += seq - next
        self.jump = jump
    }

    private mutating func account(for coalesced: UInt64, _ bytes: Int) throws {
        guard !isFiltered else { return }
        let missing = jump?.missing ?? 0
        if coalesced > missing + before {
            throw Violation.Problem(
                "coalesced \(coalesced), expected at most \(missing + before): seq skipped fewer numbers")
        }
        before -= max(coalesced, missing) - missing
        jump?.missing -= min(coalesced, missing)
        jump?.passed += bytes
        if jump?.missing == 0 { jump = nil }
    }

    /// Whether the jump is too far back for `coalesced` to explain it.
    var isOverdue: Bool { (jump?.passed ?? 0) > Self.window }

    // MARK: Lines of the connection

    /// Begins a connection. Unexplained numbers of the previous connection are dropped.
    mutating func hello(runID: String, next: UInt64) {
        numbering = .run(id: runID, next: next, isFresh: true)
        (jump, before) = (nil, 0)
    }

    mutating func state(asOf: UInt64) throws {
        guard case .run(_, let next, _) = numbering, asOf < next - 1 else { return }
        throw Violation.Problem("as_of \(asOf), expected \(next - 1) or more")
    }

    mutating func gap(_ range: (from: UInt64, to: UInt64)?) throws -> Step {
        if let range, range.to < range.from {
            throw Violation.Problem("to \(range.to), expected from, which is \(range.from), or more")
        }
        guard case .run(let id, let next, let isFresh) = numbering else { return .loses }
        guard let range else {
            numbering = .run(id: id, next: 1, isFresh: false)
            return .begins
        }
        guard isFresh || range.from == next || isFiltered && range.from > next else {
            throw Violation.Problem("from \(range.from), expected \(next)")
        }
        numbering = .run(id: id, next: range.to == .max ? range.to : range.to + 1, isFresh: false)
        return range.from < next ? .joins : .loses
    }
}
