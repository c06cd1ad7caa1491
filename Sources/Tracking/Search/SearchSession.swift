// SPDX-License-Identifier: Apache-2.0
import Observations

/// The live search of one pipeline: a pure value, whose only clock is the frames' presentation time.
///
/// Each call returns the actions to do, in order. Frames are those that the detector ran on. While something is
/// searched or its results are shown, they only move the clock: the phone's frozen camera.
///
/// Every state but `confirmed` has an exit that needs no command. `confirmed` means waiting for a command, and is left
/// when the object goes.
public struct SearchSession: Sendable {
    /// The shortest interval between reports of progress and hints within a state, in nanoseconds.
    static let tellingInterval: Int64 = 200_000_000
    /// The shortest interval between measurements of the picture, in nanoseconds.
    static let measuringInterval: Int64 = 200_000_000

    let configuration: SearchConfiguration
    let pipeline: String
    let detector: String

    public internal(set) var state = SearchState.notStarted
    var isAttended = true
    var frame: FrameInfo?
    /// When the state began; of `confirming`, when this object's confirmation did.
    var since: Int64 = 0
    var lastTold: Int64 = 0
    var told: SearchStatus?
    /// The object in hand.
    var subject: Track?
    var progress: Float = 0
    var selection: TrackID?
    var isCrowded = false
    var quality: PictureQuality?
    var nextMeasurement = Int64.min
    var poorPicture: SearchHint?
    var query: SearchQuery?
    var searches: UInt64 = 0
    /// Waits for the delay to pass.
    var answer: SearchAnswer?
    var outcome: SearchOutcome?
    var cooldown: SearchCooldown
    /// The tracks of the last frame.
    var tracks: [Track] = []

    /// - Parameters:
    ///   - pipeline: stands in queries.
    ///   - detector: whose tracks it is given.
    public init(_ configuration: SearchConfiguration, pipeline: String, detector: String) {
        self.configuration = configuration
        self.pipeline = pipeline
        self.detector = detector
        cooldown = SearchCooldown(configuration.cooldown)
    }

    // MARK: Inputs

    /// Takes a frame that the detector ran on.
    ///
    /// - Parameter tracks: its live tracks by ascending id, those that are missing with their predicted boxes.
    public mutating func receive(_ tracks: [Track], frame: FrameInfo) -> [SearchAction] {
        var actions: [SearchAction] = []
        advance(to: frame)
        self.tracks = tracks
        guard isAttended else { return actions }
        switch state {
        case .notStarted:
            enter(.detecting, &actions)
            look(&actions)
        case .detecting, .detected, .tooSmall, .confirming, .confirmed, .timedOut: look(&actions)
        case .searching, .searched, .searchFailed: wait(&actions)
        }
        return actions
    }

    /// Takes a frame that the detector failed on: nothing is known of it but that time passed, so that no detector
    /// error stalls the session.
    public mutating func pass(_ frame: FrameInfo) -> [SearchAction] {
        var actions: [SearchAction] = []
        advance(to: frame)
        guard isAttended else { return actions }
        switch state {
        case .searching, .searched, .searchFailed: wait(&actions)
        case .detecting: helpIfLate(&actions)
        case .notStarted, .detected, .tooSmall, .confirming, .confirmed, .timedOut: break
        }
        return actions
    }

    public mutating func take(_ input: SearchInput) -> [SearchAction] {
        var actions: [SearchAction] = []
        switch input {
        case .command(let command): take(command, &actions)
        case .report(let report): take(report, &actions)
        case .quality(let quality):
            self.quality = quality
            tellIfChanged(&actions)
        }
        return actions
    }

    /// There are no more frames, or the tracks have ended: whatever is under way is over.
    public mutating func end() -> [SearchAction] {
        var actions: [SearchAction] = []
        stop(&actions)
        return actions
    }

    /// The region whose quality the session wants to know, in pixels of the frame that it took last; nil: none now.
    public mutating func regionToMeasure() -> Box? {
        guard let frame, isAttended, frame.presentationTime >= nextMeasurement else { return nil }
        let region: Box
        switch state {
        case .detecting, .timedOut: region = Box(x: 0, y: 0, width: Float(frame.width), height: Float(frame.height))
        case .tooSmall, .confirming:
            guard let subject, subject.missingFrames == 0 else { return nil }
            region = subject.box
        case .notStarted, .detected, .confirmed, .searching, .searched, .searchFailed: return nil
        }
        nextMeasurement = frame.presentationTime + Self.measuringInterval
        return region
    }

    // MARK: Frames

    mutating func advance(to frame: FrameInfo) {
        if let last = self.frame, last.epoch != frame.epoch || frame.presentationTime < last.presentationTime {
            // Time began anew: so does everything that is timed.
            (since, lastTold, nextMeasurement) = (frame.presentationTime, frame.presentationTime, .min)
            cooldown.restart(at: frame.presentationTime)
        }
        self.frame = frame
    }

    var now: Int64 { frame?.presentationTime ?? 0 }
    var elapsed: Int64 { now - since }

    mutating func look(_ actions: inout [SearchAction]) {
        guard let frame else { return }
        let sight = SearchSight(tracks, frame: frame, configuration, selection: selection)
        if selection != nil, sight.selected == nil { selection = nil }
        isCrowded = sight.isCrowded
        guard let object = sight.chosen else {
            if !sight.isAnythingThere {
                if state == .detecting {
                    helpIfLate(&actions)
                } else if state != .timedOut {
                    enter(.detecting, &actions)
                }
            } else {
                enter(.detected, &actions)
            }
            return tellIfChanged(&actions)
        }
        // A command is not a second search by itself.
        let isChosen = object.id == selection
        if configuration.isAutomatic, !isChosen, cooldown.holds(object, at: now) {
            enter(.detected, on: object, &actions)
            return tellIfChanged(&actions)
        }
        let size = sight.size(of: object)
        // A large enough thing stays large enough until it is a tenth smaller.
        let isLarge = size >= (state == .confirming || state == .confirmed ? 0.9 : 1) * configuration.minimumSize
        if !isLarge {
            progress = min(1, max(0, size / configuration.minimumSize))
            enter(.tooSmall, on: object, &actions)
            return tellIfChanged(&actions)
        }
        confirm(object, &actions)
    }

    mutating func confirm(_ object: Track, _ actions: inout [SearchAction]) {
        if configuration.source == .barcode {
            subject = object
            return begin(object, &actions)
        }
        let isSame = subject?.id == object.id && (state == .confirming || state == .confirmed)
        if !isSame {
            progress = 0
            if state == .confirming {
                // Another object: it stays in its state and begins again.
                (subject, since) = (object, now)
                tell(&actions)
            } else {
                enter(.confirming, on: object, &actions)
            }
        } else {
            subject = object
        }
        guard state == .confirming else { return tellIfChanged(&actions) }
        progress = min(1, Float(elapsed) / Float(configuration.confirmation))
        guard elapsed >= configuration.confirmation, object.missingFrames == 0 else {
            // Held at less than one while it is not seen.
            if object.missingFrames > 0 { progress = min(progress, 0.99) }
            return tellIfChanged(&actions)
        }
        progress = 1
        if configuration.isAutomatic { begin(object, &actions) } else { enter(.confirmed, on: object, &actions) }
    }

    mutating func helpIfLate(_ actions: inout [SearchAction]) {
        guard configuration.detectionTimeout > 0, elapsed >= configuration.detectionTimeout else { return }
        enter(.timedOut, &actions)
    }
}
