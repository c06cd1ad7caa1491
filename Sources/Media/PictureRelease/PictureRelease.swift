// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Frames
import Observations
import Synchronization

/// A picture that may leave the worker.
///
/// Encoders and files take no other pictures, and only `PictureRelease` makes one. So an exit that does not go through
/// `PictureRelease` does not compile.
package struct ReleasedPicture: Sendable {
    package let frame: Frame

    fileprivate init(_ frame: Frame) { self.frame = frame }
}

/// A picture that waits for the decision whether it may leave. It is released once at most.
package struct HeldPicture: Sendable {
    fileprivate let frame: Frame
    /// The memory of `frame`, if it is the picture's own. Features are covered there.
    fileprivate let copy: FrameCopy?
    /// The place of the picture in its frame, in pixels.
    fileprivate let x: Int
    fileprivate let y: Int
    fileprivate let ticket: PictureTicket

    /// Whether the picture may leave; nil while that is undecided.
    package var mayLeave: Bool? { ticket.mayLeave }
    package var info: FrameInfo { frame.info }
    package var width: Int { frame.width }
    package var height: Int { frame.height }
    /// The size of the raw picture in bytes; 4:2:0 has half as much chroma as luma.
    package var bytes: Int { frame.width * frame.height * (frame.format == .gray8 ? 2 : 3) / 2 }
}

/// Decides which pictures of a pipeline leave its worker, and covers what must not be seen in them.
///
/// A picture leaves when each detector that the rules need has looked at its frame, or at an earlier frame that it
/// found equal. Otherwise no picture of the frame leaves. Any thread may use it.
package final class PictureRelease: Sendable {
    /// Frames whose judgements are remembered, per detector.
    static let rememberedFrames = 64
    /// Frames whose decision may be pending. The oldest one is withheld first.
    static let mostPending = 128

    private struct Judgement {
        var sequence: UInt64
        /// The boxes to cover; nil if the detector has not looked at the frame.
        var regions: [Box]?
    }

    private struct Judge {
        var judgements: [Judgement] = []
        /// Why the detector cannot look now; nil if it can.
        var obstacle: String? = "has not looked at a frame yet"
    }

    private struct State {
        var judges: [String: Judge]
        var pending: [PictureTicket] = []
        var withheld: UInt64 = 0
        /// Why the newest decision withheld pictures; nil if it did not.
        var lastReason: String?
    }

    package let rules: CoverRules
    private let state: Mutex<State>
    /// Covers pictures whose decision comes late, so that no lane does.
    private let queue = DispatchQueue(label: "picture-release", qos: .utility)

    package init(_ rules: CoverRules) {
        self.rules = rules
        state = Mutex(State(judges: rules.detectors.mapValues { _ in Judge() }))
    }

    /// Why no picture leaves now; nil if pictures leave.
    package var reason: String? {
        if !rules.allowsPictures { return "privacy.pictures is false" }
        return state.withLock { state in
            for (name, judge) in state.judges.sorted(by: { $0.key < $1.key }) {
                if let obstacle = judge.obstacle { return "\(name): \(obstacle)" }
            }
            return state.lastReason ?? (state.pending.count > 8 ? "a detector has not looked at recent frames" : nil)
        }
    }

    /// The number of frames whose pictures were withheld.
    package var withheld: UInt64 { state.withLock(\.withheld) }

    // MARK: What detectors say

    /// Records that a detector has looked at a frame.
    ///
    /// - Parameter regions: the boxes of everything to cover, in pixels of the frame.
    package func looked(_ detector: String, at frame: FrameInfo, regions: [Box]) {
        judge(detector, Judgement(sequence: frame.sequence, regions: regions), obstacle: nil)
    }

    /// Records that a detector has let a frame pass without looking.
    ///
    /// - Parameter obstacle: why it cannot look; nil if it can.
    package func passed(_ detector: String, frame: FrameInfo, obstacle: String?) {
        judge(detector, Judgement(sequence: frame.sequence, regions: nil), obstacle: obstacle)
    }

    private func judge(_ detector: String, _ judgement: Judgement, obstacle: String?) {
        let decided = state.withLock { state in
            guard var judge = state.judges[detector] else { return [(PictureTicket, PictureTicket.Decision)]() }
            // A repeated frame is judged by its newest run.
            judge.judgements.removeAll { $0.sequence == judgement.sequence }
            if judge.judgements.count == Self.rememberedFrames { judge.judgements.removeFirst() }
            judge.judgements.append(judgement)
            // A frame that the rate lets pass says nothing about the detector.
            if judgement.regions != nil || obstacle != nil { judge.obstacle = obstacle }
            state.judges[detector] = judge
            var decided: [(PictureTicket, PictureTicket.Decision)] = []
            let pending = state.pending
            state.pending.removeAll(keepingCapacity: true)
            for ticket in pending {
                if let decision = decide(ticket.sequence, &state) {
                    decided.append((ticket, decision))
                } else {
                    state.pending.append(ticket)
                }
            }
            return decided
        }
        for (ticket, decision) in decided { ticket.decide(decision) }
    }

    /// nil while a detector may still look at the frame.
    private func decide(_ sequence: UInt64, _ state: inout State) -> PictureTicket.Decision? {
        var regions: [Box] = []
        var isWaiting = false
        for (name, judge) in state.judges {
            if let judgement = judge.judgements.last(where: { $0.sequence == sequence }) {
                guard let seen = judgement.regions else {
                    return withhold("\(name): \(judge.obstacle ?? "has not looked at the frame")", &state)
                }
                regions += seen
            } else if let newest = judge.judgements.last, newest.sequence > sequence {
                return withhold("\(name): has not looked at the frame", &state)
            } else {
                isWaiting = true
            }
        }
        if isWaiting { return nil }
        state.lastReason = nil
        return .cover(regions)
    }

    private func withhold(_ reason: String, _ state: inout State) -> PictureTicket.Decision {
        state.withheld += 1
        state.lastReason = reason
        return .withhold(PictureWithheld(reason))
    }

    // MARK: What exits ask

    /// Opens the decision about pictures of a frame.
    package func ticket(for frame: FrameInfo) -> PictureTicket {
        let ticket = PictureTicket(frame.sequence)
        if !rules.allowsPictures {
            ticket.decide(.withhold(PictureWithheld("privacy.pictures is false")))
            return ticket
        }
        let (decision, oldest) = state.withLock { state -> (PictureTicket.Decision?, PictureTicket?) in
            if let decision = decide(frame.sequence, &state) { return (decision, nil) }
            var oldest: PictureTicket?
            if state.pending.count == Self.mostPending {
                oldest = state.pending.removeFirst()
                _ = withhold("a detector has not looked at recent frames", &state)
            }
            state.pending.append(ticket)
            return (nil, oldest)
        }
        if let decision { ticket.decide(decision) }
        oldest?.decide(.withhold(PictureWithheld("a detector has not looked at recent frames")))
        return ticket
    }

    /// Holds a part of a frame back until it may leave. The part is copied. nil for an empty view.
    package func hold(_ view: FrameView, _ ticket: PictureTicket? = nil) -> HeldPicture? {
        if view.isEmpty { return nil }
        let copy = FrameCopy(view)
        return HeldPicture(
            frame: copy.frame, copy: copy, x: view.x, y: view.y, ticket: ticket ?? self.ticket(for: view.frame.info))
    }

    /// Holds a whole frame back until it may leave. Where its features are covered it is copied.
    package func hold(_ frame: Frame) -> HeldPicture {
        let copy = rules.coversFeatures ? FrameCopy(frame) : nil
        return HeldPicture(frame: copy?.frame ?? frame, copy: copy, x: 0, y: 0, ticket: ticket(for: frame.info))
    }

    /// Releases a picture as soon as it may leave.
    ///
    /// - Parameter done: called once: at once on this thread if the decision has been made, otherwise on another one.
    package func release(
        _ held: HeldPicture, _ done: @escaping @Sendable (Result<ReleasedPicture, PictureWithheld>) -> Void
    ) {
        let decision = held.ticket.decision { [self] decision in queue.async { [self] in done(release(held, decision)) }
        }
        if let decision { done(release(held, decision)) }
    }

    /// Waits until all pictures whose decision has been made are with those who asked for them.
    package func finish() { queue.sync {} }

    /// Calls back once the decision about a picture has been made: at once on this thread if it has been made,
    /// otherwise on another one. The picture itself is not kept for that.
    package func whenDecided(_ held: HeldPicture, _ body: @escaping @Sendable () -> Void) {
        if held.ticket.decision(orLater: { [self] _ in queue.async(execute: body) }) != nil { body() }
    }

    /// Releases a frame at once; nil if no picture may leave, or if features have to be covered in it.
    package func releaseAtOnce(_ frame: Frame) -> ReleasedPicture? {
        rules.allowsPictures && !rules.coversFeatures ? ReleasedPicture(frame) : nil
    }

    /// The only place that makes a `ReleasedPicture` in which features are covered.
    private func release(
        _ held: HeldPicture, _ decision: PictureTicket.Decision
    ) -> Result<ReleasedPicture, PictureWithheld> {
        switch decision {
        case .withhold(let reason): return .failure(reason)
        case .cover where !rules.coversFeatures: return .success(ReleasedPicture(held.frame))
        case .cover(let boxes):
            let copy = held.copy ?? FrameCopy(held.frame)
            copy.cover(boxes, rules, x: held.x, y: held.y)
            return .success(ReleasedPicture(copy.frame))
        }
    }
}
