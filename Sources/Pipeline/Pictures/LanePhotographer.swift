import Confinement
import Dispatch
import EventLines
import Frames
import Observations
import PictureEncoding
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
        var candidate: Candidate?
        /// The last picture written.
        var stored: Written?
    }

    private struct Candidate {
        var job: PictureJob
        var name: String
        var event: SnapshotEvent
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
    }

    private let rules: SnapshotRules
    private let pipeline: PipelineIdentity
    private let detector: String
    private let writer: PictureWriter
    /// Only the lane's thread uses it.
    private let state = Confined(toOneThread: State())
    private let arrived = Mutex<[Written]>([])

    package init(_ rules: SnapshotRules, pipeline: PipelineIdentity, detector: String, writer: PictureWriter) {
        self.rules = rules
        self.pipeline = pipeline
        self.detector = detector
        self.writer = writer
    }

    package func observe(_ frame: Frame, _ changes: [TrackChange]) {
        guard !changes.isEmpty else { return }
        state.with { state in
            for change in changes where rules.kinds?.contains(change.track.kind) ?? true {
                follow(change, in: frame, &state)
            }
        }
    }

    private func follow(_ change: TrackChange, in frame: Frame, _ state: inout State) {
        let track = change.track
        switch change.phase {
        case .detected:
            if rules.rules.contains(.detected) { request(.detected, track, in: frame) }
            guard rules.rules.contains(.best) else { return }
            guard state.lives.count < Self.maximumTracks else {
                state.passedOver += 1
                return
            }
            state.lives[track.id] = Life()
        case .update: score(track, in: frame, &state)
        case .missing:
            guard var life = state.lives[track.id] else { return }
            if life.shot.missed(at: frame.info.presentationTime) == .takeKept { submit(&life, &state) }
            state.lives[track.id] = life
        case .completed(let reason):
            forget(track.id, &state)
            // A track that a discontinuity ends has no relation to this frame.
            if rules.rules.contains(.completed), reason != .discontinuity { request(.completed, track, in: frame) }
        }
    }

    // MARK: The best frame

    private func score(_ track: Track, in frame: Frame, _ state: inout State) {
        guard var life = state.lives[track.id] else { return }
        defer { state.lives[track.id] = life }
        let score = PictureScore.score(track, in: frame)
        guard score >= rules.minimumScore else { return }
        let interval = rules.bestInterval.nanoseconds
        switch life.shot.seen(score: score, at: frame.info.presentationTime, interval: interval) {
        case .pass: break
        case .takeKept: submit(&life, &state)
        case .keep: keep(track, score, in: frame, &life, &state)
        case .take:
            keep(track, score, in: frame, &life, &state)
            submit(&life, &state)
        }
    }

    private func keep(_ track: Track, _ score: Float, in frame: Frame, _ life: inout Life, _ state: inout State) {
        guard let candidate = picture(.best, track, in: frame, score: score) else { return }
        drop(&life, &state)
        guard state.candidateBytes + candidate.job.memory <= Self.maximumCandidateBytes else { return }
        state.candidateBytes += candidate.job.memory
        life.candidate = candidate
    }

    private func drop(_ life: inout Life, _ state: inout State) {
        if let candidate = life.candidate { state.candidateBytes -= candidate.job.memory }
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

    private func request(_ rule: SnapshotEvent.Rule, _ track: Track, in frame: Frame) {
        if let candidate = picture(rule, track, in: frame, score: nil) { submit(candidate) }
    }

    private func submit(_ candidate: Candidate) {
        let event = candidate.event
        let name = candidate.name
        _ = writer.take(candidate.job) { [self] result in
            guard case .success(let stored) = result else { return }
            var event = event
            event.file = stored.path
            (event.width, event.height) = (stored.picture.width, stored.picture.height)
            event.bytes = stored.picture.bytes.count
            arrived.withLock { $0.append(Written(name: name, event: event)) }
        }
    }

    /// Copies the region for the picture; nil if the track is not in the frame.
    private func picture(
        _ rule: SnapshotEvent.Rule, _ track: Track, in frame: Frame, score: Float?
    ) -> Candidate? {
        guard let copy = rules.region.view(of: track.box, in: frame)?.copy() else { return nil }
        let event = SnapshotEvent(
            detector: detector, kind: track.kind, track: track.id, rule: rule, frame: frame.info, file: "", width: 0,
            height: 0, bytes: 0, score: score, confidence: track.detection.confidence)
        let label = PictureLabel.text(of: track.detection)
        let caption = rules.captioned ? PictureLabel.caption(label, frame.info.time) : nil
        let form = PictureEncoder.Form(
            maximumWidth: rules.maximumWidth, quality: rules.quality, caption: caption)
        let (pipeline, box) = (pipeline, track.box)
        let name = PictureLabel.fileName(event)
        let job = PictureJob(frame: copy, form: form, place: .store(name: name)) { picture in
            var event = event
            (event.width, event.height) = (picture.width, picture.height)
            event.bytes = picture.bytes.count
            return PictureMetadata.json(event, pipeline: pipeline, label: label, box: box)
        }
        return Candidate(job: job, name: name, event: event)
    }

    // MARK: What comes of them

    package func takePictures(waits: Bool) -> [SnapshotEvent] {
        // The limit is longer than any encoding, so that a busy machine does not change the event lines.
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
            for track in state.lives.keys.sorted() {
                guard var life = state.lives[track] else { continue }
                submit(&life, &state)
                state.lives[track] = life
            }
        }
        writer.wait(waits ? .seconds(60) : Self.patience)
    }
}
