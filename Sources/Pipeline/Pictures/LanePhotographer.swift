// SPDX-License-Identifier: Apache-2.0
import Confinement
import Dispatch
import EventLines
import Frames
import Observations
import PictureEncoding
import PictureRelease
import Pipelines
import Synchronization
import Tracking

/// Takes pictures of one lane's tracks as the rules specify.
///
/// On the lane's thread it only computes scores and copies regions; `PictureWriter` encodes and writes. A picture of
/// the rule `best` is written again for every better frame. The replaced picture was named in no event line, and is
/// deleted.
package final class LanePhotographer: LaneObserver {
    /// The memory bounds: the number of tracks observed for their best frame, and the bytes of raw candidates.
    package static let maximumTracks = 64
    package static let maximumCandidateBytes = 64 << 20
    /// The longest wait at the end of all tracks.
    private static let patience = DispatchTimeInterval.seconds(2)

    private struct Life {
        var shot = BestShot()
        /// The picture of `detected` was withheld, and is taken in a later frame.
        var owesDetected = false
        var candidate: Candidate?
        /// The last picture written.
        var stored: Written?
    }

    private struct Candidate {
        var picture: HeldPicture
        var form: PictureEncoder.Form
        var name: String
        var event: SnapshotEvent
        var metadata: @Sendable (PictureEncoder.Picture) -> [UInt8]
    }

    /// A frame that another detector has not looked at yet. Its changes wait.
    private struct Waiting {
        var frame: Frame
        var changes: [TrackChange]
        var ticket: PictureTicket
    }

    private struct Written: Sendable {
        var name: String
        var event: SnapshotEvent
    }

    private struct State {
        var lives: [TrackID: Life] = [:]
        var candidateBytes = 0
        /// The number of tracks not observed because of the limit.
        var passedOver = 0
        /// In the order of the frames.
        var waiting: [Waiting] = []
    }

    /// The number of frames that may wait for other detectors. The pictures of the oldest one are given up first.
    private static let mostWaiting = 16

    private let rules: SnapshotRules
    private let pipeline: PipelineIdentity
    private let detector: String
    private let writer: PictureWriter
    private let release: PictureRelease
    /// Only the lane's thread uses it.
    private let state = Confined(toOneThread: State())
    private let arrived = Mutex<[Written]>([])

    package init(
        _ rules: SnapshotRules, pipeline: PipelineIdentity, detector: String, writer: PictureWriter,
        release: PictureRelease
    ) {
        self.release = release
        self.rules = rules
        self.pipeline = pipeline
        self.detector = detector
        self.writer = writer
    }

    package func observe(_ frame: Frame, _ changes: [TrackChange]) {
        guard !changes.isEmpty else { return }
        state.with { state in
            let ticket = release.ticket(for: frame.info)
            if state.waiting.isEmpty, let mayLeave = ticket.mayLeave {
                return follow(changes, in: mayLeave ? frame : nil, ticket, &state)
            }
            // The copy keeps no buffer of the source.
            guard let copy = FrameView(frame).copy() else { return }
            state.waiting.append(Waiting(frame: copy, changes: changes, ticket: ticket))
            takeDecided(&state, givesUp: false)
        }
    }

    /// Follows the frames whose decision has been made, in their order.
    ///
    /// - Parameter givesUp: whether to follow the others too, without pictures.
    private func takeDecided(_ state: inout State, givesUp: Bool) {
        while let first = state.waiting.first {
            let mustGo = givesUp || state.waiting.count > Self.mostWaiting
            guard let mayLeave = first.ticket.mayLeave ?? (mustGo ? false : nil) else { return }
            state.waiting.removeFirst()
            follow(first.changes, in: mayLeave ? first.frame : nil, first.ticket, &state)
        }
    }

    /// - Parameter frame: nil if no picture of the frame may leave.
    private func follow(_ changes: [TrackChange], in frame: Frame?, _ ticket: PictureTicket, _ state: inout State) {
        for change in changes where rules.kinds?.contains(change.track.kind) ?? true {
            if let frame {
                follow(change, in: frame, ticket, &state)
            } else {
                followWithoutPicture(change, &state)
            }
        }
    }

    /// Follows a change in a frame whose pictures are withheld. A picture that cannot be taken now waits for a later
    /// frame of the track.
    private func followWithoutPicture(_ change: TrackChange, _ state: inout State) {
        let track = change.track.id
        switch change.phase {
        case .detected: begin(track, owesDetected: rules.rules.contains(.detected), &state)
        case .update: break
        case .missing:
            guard var life = state.lives[track] else { return }
            if life.shot.missed(at: .max) == .takeKept { submit(&life, &state) }
            state.lives[track] = life
        case .completed: forget(track, &state)
        }
    }

    private func begin(_ track: TrackID, owesDetected: Bool, _ state: inout State) {
        guard owesDetected || rules.rules.contains(.best) else { return }
        guard state.lives.count < Self.maximumTracks else {
            state.passedOver += 1
            return
        }
        state.lives[track] = Life(owesDetected: owesDetected)
    }

    private func follow(_ change: TrackChange, in frame: Frame, _ ticket: PictureTicket, _ state: inout State) {
        let track = change.track
        switch change.phase {
        case .detected:
            if rules.rules.contains(.detected) { request(.detected, track, in: frame, ticket) }
            begin(track.id, owesDetected: false, &state)
        case .update:
            if state.lives[track.id]?.owesDetected == true {
                state.lives[track.id]?.owesDetected = false
                request(.detected, track, in: frame, ticket)
            }
            if rules.rules.contains(.best) { score(track, in: frame, ticket, &state) }
        case .missing:
            guard var life = state.lives[track.id] else { return }
            if life.shot.missed(at: frame.info.presentationTime) == .takeKept { submit(&life, &state) }
            state.lives[track.id] = life
        case .completed(let reason):
            forget(track.id, &state)
            // A track that a discontinuity ends has no relation to this frame.
            if rules.rules.contains(.completed), reason != .discontinuity {
                request(.completed, track, in: frame, ticket)
            }
        }
    }

    // MARK: The best frame

    private func score(_ track: Track, in frame: Frame, _ ticket: PictureTicket, _ state: inout State) {
        guard var life = state.lives[track.id] else { return }
        defer { state.lives[track.id] = life }
        let score = PictureScore.score(track, in: frame)
        guard score >= rules.minimumScore else { return }
        let interval = rules.bestInterval.nanoseconds
        switch life.shot.seen(score: score, at: frame.info.presentationTime, interval: interval) {
        case .pass: break
        case .takeKept: submit(&life, &state)
        case .keep: keep(track, score, in: frame, ticket, &life, &state)
        case .take:
            keep(track, score, in: frame, ticket, &life, &state)
            submit(&life, &state)
        }
    }

    private func keep(
        _ track: Track, _ score: Float, in frame: Frame, _ ticket: PictureTicket, _ life: inout Life,
        _ state: inout State
    ) {
        guard let candidate = picture(.best, track, in: frame, ticket, score: score) else { return }
        drop(&life, &state)
        guard state.candidateBytes + candidate.picture.bytes <= Self.maximumCandidateBytes else { return }
        state.candidateBytes += candidate.picture.bytes
        life.candidate = candidate
    }

    private func drop(_ life: inout Life, _ state: inout State) {
        if let candidate = life.candidate { state.candidateBytes -= candidate.picture.bytes }
        life.candidate = nil
    }

    private func submit(_ life: inout Life, _ state: inout State) {
        guard let candidate = life.candidate else { return }
        drop(&life, &state)
        submit(candidate)
    }

    private func forget(_ track: TrackID, _ state: inout State) {
        guard var life = state.lives.removeValue(forKey: track) else { return }
        drop(&life, &state)
    }

    // MARK: Jobs

    private func request(_ rule: SnapshotEvent.Rule, _ track: Track, in frame: Frame, _ ticket: PictureTicket) {
        if let candidate = picture(rule, track, in: frame, ticket, score: nil) { submit(candidate) }
    }

    private func submit(_ candidate: Candidate) {
        let (event, name, form, metadata) = (candidate.event, candidate.name, candidate.form, candidate.metadata)
        // The frame may leave, so this calls back at once.
        release.release(candidate.picture) { [self] released in
            guard case .success(let picture) = released else { return }
            let job = PictureJob(picture: picture, form: form, place: .store(name: name), metadata: metadata)
            _ = writer.take(job) { [self] result in
                guard case .success(let stored) = result else { return }
                var event = event
                event.file = stored.path
                (event.width, event.height) = (stored.picture.width, stored.picture.height)
                event.bytes = stored.picture.bytes.count
                arrived.withLock { $0.append(Written(name: name, event: event)) }
            }
        }
    }

    /// Copies the region for the picture; nil if the track is not in the frame.
    private func picture(
        _ rule: SnapshotEvent.Rule, _ track: Track, in frame: Frame, _ ticket: PictureTicket, score: Float?
    ) -> Candidate? {
        guard let view = rules.region.view(of: track.box, in: frame), let held = release.hold(view, ticket) else {
            return nil
        }
        let event = SnapshotEvent(
            detector: detector, kind: track.kind, track: track.id, rule: rule, frame: frame.info, file: "", width: 0,
            height: 0, bytes: 0, score: score, confidence: track.detection.confidence)
        let label = PictureLabel.text(of: track.detection)
        let caption = rules.captioned ? PictureLabel.caption(label, frame.info.time) : nil
        let form = PictureEncoder.Form(
            maximumWidth: rules.maximumWidth, quality: rules.quality, caption: caption)
        let (pipeline, box) = (pipeline, track.box)
        let name = PictureLabel.fileName(event)
        return Candidate(picture: held, form: form, name: name, event: event) { picture in
            var event = event
            (event.width, event.height) = (picture.width, picture.height)
            event.bytes = picture.bytes.count
            return PictureMetadata.json(event, pipeline: pipeline, label: label, box: box)
        }
    }

    // MARK: What comes of them

    package func takePictures(waits: Bool) -> [SnapshotEvent] {
        // The limit is longer than any encoding, so that a busy machine does not change the event lines.
        state.with { state in
            if waits { for waiting in state.waiting { waiting.ticket.wait(.seconds(60)) } }
            takeDecided(&state, givesUp: false)
        }
        if waits { writer.wait(.seconds(60)) }
        let written = arrived.withLock { arrived in
            if arrived.isEmpty { return [Written]() }
            defer { arrived.removeAll() }
            return arrived
        }
        if written.isEmpty { return [] }
        return state.with { state in written.compactMap { adopt($0, &state) } }
    }

    private func adopt(_ written: Written, _ state: inout State) -> SnapshotEvent? {
        guard written.event.rule == .best else { return written.event }
        let track = written.event.track
        guard var life = state.lives[track] else {
            writer.discard(written.name)
            return nil
        }
        if let before = life.stored, before.name != written.name { writer.discard(before.name) }
        life.stored = written
        state.lives[track] = life
        return written.event
    }

    package func end(waits: Bool) {
        state.with { state in
            if waits { for waiting in state.waiting { waiting.ticket.wait(.seconds(60)) } }
            takeDecided(&state, givesUp: true)
            for track in state.lives.keys.sorted() {
                guard var life = state.lives[track] else { continue }
                submit(&life, &state)
                state.lives[track] = life
            }
        }
        writer.wait(waits ? .seconds(60) : Self.patience)
    }
}
