// SPDX-License-Identifier: Apache-2.0
/// Checks that the lines of one frame and one detector are adjacent, and that a detector's frames never go backwards.
/// Stores one frame for each detector.
struct FrameOrder: Sendable {
    /// The group of a line: a frame of a detector, or the ends of tracks between two frames.
    struct Batch: Sendable, Equatable {
        var owner: String
        var epoch: UInt64
        var seq: UInt64
        /// The reason for which tracks end between two frames; nil within a frame.
        var reason: String?
    }

    private var current: Batch?
    private var newest: [String: (epoch: UInt64, seq: UInt64)] = [:]
    /// The newest frame of each detector whose `frame` line was read.
    private var closed: [String: (epoch: UInt64, seq: UInt64)] = [:]

    /// - Returns: whether a new batch begins.
    /// - Throws: `Violation.Problem`.
    mutating func take(_ batch: Batch) throws -> Bool {
        if batch == current { return false }
        // Tracks may end within one frame for several reasons.
        let goesOn = current.map { ($0.owner, $0.epoch, $0.seq) == (batch.owner, batch.epoch, batch.seq) } ?? false
        current = batch
        guard batch.reason == nil else { return true }
        let frame = (batch.epoch, batch.seq)
        if let newest = newest[batch.owner], frame <= newest, !(goesOn && frame == newest) {
            let now = "frame \(batch.seq) of epoch \(batch.epoch)"
            throw Violation.Problem(
                frame == newest
                    ? "\(now) continues for \(batch.owner), expected all its lines together"
                    : "\(now) for \(batch.owner), expected one after frame \(newest.seq) of epoch \(newest.epoch)")
        }
        newest[batch.owner] = frame
        return true
    }

    /// Takes a `frame` line, which is the detector's last line about its frame.
    ///
    /// - Throws: `Violation.Problem`.
    mutating func close(_ batch: Batch) throws {
        let frame = (batch.epoch, batch.seq)
        let now = "the frame line of frame \(batch.seq) of epoch \(batch.epoch) for \(batch.owner)"
        if let closed = closed[batch.owner], frame <= closed {
            throw Violation.Problem("\(now), expected one after frame \(closed.seq) of epoch \(closed.epoch)")
        }
        if let newest = newest[batch.owner], frame < newest {
            throw Violation.Problem("\(now), expected none before frame \(newest.seq) of epoch \(newest.epoch)")
        }
        (closed[batch.owner], newest[batch.owner], current) = (frame, frame, nil)
    }

    mutating func forget() {
        current = nil
        (newest, closed) = ([:], [:])
    }
}
