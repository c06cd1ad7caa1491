// SPDX-License-Identifier: Apache-2.0
@testable import GlimpseClient

/// A subscription to a `DaemonModel`: what it reads goes through a `TrackLives`, and the calls are written down for
/// each object.
struct ReaderModel {
    private(set) var lives: TrackLives
    /// The calls of the objects that have been completed, a letter each, with the last one's reason.
    private(set) var finished: [(calls: String, reason: String)] = []
    private(set) var open: [TrackLives.Key: String] = [:]
    /// Calls to no object, or a second `detected`.
    private(set) var faults: [String] = []
    /// Lines that come before those of the log.
    private var queue: [String] = []
    /// The number of the next line of the log.
    private var cursor: Int
    private var position: (run: Int, sequence: Int)?

    /// The reader connects for the first time, and begins now.
    init(_ daemon: DaemonModel) {
        lives = TrackLives(after: nil)
        cursor = 0
        connect(daemon)
    }

    /// A connection that goes on after the last line that was read.
    mutating func connect(_ daemon: DaemonModel) {
        queue = [daemon.hello] + daemon.state
        cursor = daemon.log.count + 1
        guard let position else { return }
        let isOther = position.run != daemon.run
        if isOther { queue.append(DaemonModel.otherRun) }
        cursor = isOther ? 1 : position.sequence + 1
        skipForgotten(daemon, "journal")
    }

    /// Reads so many lines. An `update` may have been left out if the next line of its track is an `update` too.
    mutating func read(_ count: Int, _ daemon: inout DaemonModel, thins: Bool) {
        for _ in 0..<count {
            if !queue.isEmpty {
                take(queue.removeFirst(), daemon)
            } else if cursor <= daemon.log.count {
                skipForgotten(daemon, "slow")
                guard queue.isEmpty else { continue }
                let line = daemon.log[cursor - 1]
                position = (daemon.run, cursor)
                cursor += 1
                if !thins || !daemon.isFollowedByUpdate(cursor - 1) || daemon.chance(30) { take(line, daemon) }
            } else {
                return take(DaemonModel.ping, daemon)
            }
        }
    }

    /// Reads all there is.
    mutating func catchUp(_ daemon: inout DaemonModel) {
        while !queue.isEmpty || cursor <= daemon.log.count { read(1, &daemon, thins: false) }
        read(1, &daemon, thins: false)
        // The answer to a last question.
        while !queue.isEmpty { read(1, &daemon, thins: false) }
    }

    mutating func end() { deliver(lives.end()) }

    private mutating func skipForgotten(_ daemon: DaemonModel, _ reason: String) {
        guard cursor < daemon.first else { return }
        queue.append(DaemonModel.gap(cursor, daemon.first - 1, reason))
        cursor = daemon.first
    }

    private mutating func take(_ line: String, _ daemon: DaemonModel) {
        guard let event = Event(line: Array(line.utf8)) else { return faults.append("no event: \(line)") }
        switch event.content {
        case .hello(let hello) where position == nil: position = (daemon.run, Int(hello.nextSequence) - 1)
        case .gap(let gap) where gap.reason == "other_run": position = (daemon.run, 0)
        case .other: faults.append("not understood: \(line)")
        default: break
        }
        deliver(lives.take(event))
        if lives.wantsState { queue += daemon.state }
    }

    private mutating func deliver(_ calls: [TrackLives.Call]) {
        for call in calls {
            switch call.phase {
            case .detected:
                if open.updateValue("d", forKey: call.key) != nil { faults.append("detected twice: \(call.key)") }
            case .update: append("u", call)
            case .missing: append("m", call)
            case .completed(let reason):
                append("c", call)
                finished.append((open.removeValue(forKey: call.key) ?? "", reason))
            }
        }
    }

    private mutating func append(_ letter: String, _ call: TrackLives.Call) {
        guard open[call.key] != nil else { return faults.append("\(call.phase) to no object") }
        open[call.key]? += letter
    }
}
