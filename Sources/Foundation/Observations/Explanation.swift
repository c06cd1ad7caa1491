// SPDX-License-Identifier: Apache-2.0
/// Why detections of a frame are in no reported track, why tracks ended in it, and why the detector ran on it again.
public struct Explanation: Sendable, Equatable {
    /// In the order in which the tracker met them.
    public private(set) var untracked: [Untracked] = []
    /// In the order in which the tracker ended them.
    public private(set) var ended: [Ended] = []
    /// Why the gate let the frame through; nil if it withheld no frame since the detector's last run.
    public var gate: GateOpening?
    /// The number of entries that found no room.
    public private(set) var omitted = 0

    /// Entries of each list at most, so that a line of the event stream holds them.
    public static let capacity = 150

    public init() {}

    /// Whether both lists are empty and the gate says nothing.
    public var isEmpty: Bool { untracked.isEmpty && ended.isEmpty && gate == nil }

    /// Beyond `capacity`, only `omitted` grows.
    public mutating func add(_ entry: Untracked) {
        if untracked.count < Self.capacity { untracked.append(entry) } else { omitted += 1 }
    }

    /// Beyond `capacity`, only `omitted` grows.
    public mutating func add(_ entry: Ended) {
        if ended.count < Self.capacity { ended.append(entry) } else { omitted += 1 }
    }

    /// Forgets the entries and keeps their memory.
    public mutating func removeAll() {
        untracked.removeAll(keepingCapacity: true)
        ended.removeAll(keepingCapacity: true)
        omitted = 0
        gate = nil
    }
}

extension Explanation {
    /// A detection that no track carries to subscribers in this frame.
    public struct Untracked: Sendable, Equatable {
        /// As the detector gave it, even where it is impossible.
        public var box: Box
        /// 0...1; nil where the detector has none.
        public var confidence: Float?
        public var cause: Cause

        public init(box: Box, confidence: Float?, cause: Cause) {
            self.box = box
            self.confidence = confidence
            self.cause = cause
        }

        /// The rule that kept the detection out, with the numbers that it compared.
        public enum Cause: Sendable, Equatable {
            /// A box without area or outside of the picture, or a number that is none.
            case invalid
            /// Below `low`: not looked at.
            case belowLow(limit: Float)
            /// Continues no track, and too weak to start one.
            case belowBirth(limit: Float)
            /// Lies on a better detection of the same frame.
            case suppressed(overlap: Float)
            /// More tracks, or more detections in a frame, than there may be.
            case capacity(limit: Int)
            /// Seen in `hits` frames so far; `limit` are wanted before it is reported.
            case tentative(hits: Int, limit: Int)
            /// Tracked, but another one has the focus.
            case outOfFocus
            /// Its payload was read `reads` times in a row so far; `limit` are wanted before it is believed.
            case unconfirmed(reads: Int, limit: Int)
            /// A track with its payload ended less than `limit` seconds ago.
            case cooldown(limit: Double)
            /// Another symbol with its payload is tracked, and equal payloads are one item.
            case sameValue
            /// Its text is not among those that are wanted.
            case notAllowed
            /// Its text is among those that are not wanted.
            case denied
            /// It looks like a code and could not be read, and nobody asked for such.
            case undecoded
            /// Narrower than `limit`, a proportion of the picture's width. Seen by the finer look at a picture without
            /// a face.
            case belowMinSize(limit: Float)
        }
    }

    /// A track, or something that was on the way to be one, and by which rule it ended.
    public struct Ended: Sendable, Equatable {
        /// nil: it was never reported.
        public var track: TrackID?
        /// The box of the last detection.
        public var box: Box
        public var rule: Rule

        public init(track: TrackID?, box: Box, rule: Rule) {
            self.track = track
            self.box = box
            self.rule = rule
        }

        /// The rule that ended the track, with the numbers that it compared.
        public enum Rule: Sendable, Equatable {
            /// Unseen for more than `limit`, both in seconds, and in `runs` runs of the detector.
            case maxGap(unseen: Double, limit: Double, runs: Int)
            /// Unseen in more than `limit` runs of the detector.
            case maxGapFrames(runs: Int, limit: Int)
            /// Missed before it had been seen in `limit` frames.
            case hits(hits: Int, limit: Int)
            /// Its payload was not read in a row `limit` times before it was gone, or another stood in its place.
            case confirmReads(reads: Int, limit: Int)
            /// Another payload was read in its place.
            case payload
            /// It was missing longest when a new one needed its place.
            case capacity(limit: Int)
            /// Another one got the focus.
            case focus
            /// Time or the picture's size jumped.
            case discontinuity
        }
    }
}
