// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension FieldName {
    package static var gate: FieldName { FieldName("gate") }
    package static var unchanged: FieldName { FieldName("unchanged") }
    package static var excess: FieldName { FieldName("excess") }
    package static var untracked: FieldName { FieldName("untracked") }
    package static var ended: FieldName { FieldName("ended") }
    package static var cause: FieldName { FieldName("cause") }
    package static var key: FieldName { FieldName("key") }
    package static var limit: FieldName { FieldName("limit") }
    package static var limitMilliseconds: FieldName { FieldName("limit_ms") }
    package static var overlap: FieldName { FieldName("overlap") }
    package static var unseen: FieldName { FieldName("unseen_ms") }
    package static var missedRuns: FieldName { FieldName("missed_runs") }
}

extension EventEncoder {
    mutating func encode(_ event: ExplainEvent) -> EncodedEvent {
        let body = write(.explain, event.frame.time, event.frame.clock) { json, _ in event.encode(to: &json) }
        return EncodedEvent(kind: .explain, detector: event.detector, body: body)
    }
}

extension ExplainEvent {
    /// Writes the members after the envelope. `key` and `rule` name the configuration key that caused the decision, if
    /// any.
    fileprivate func encode(to json: inout JSONWriter) {
        frame.encode(to: &json)
        json.member(.detector, detector)
        if let gate = explanation.gate { json.object(.gate) { gate.encode(to: &$0) } }
        json.array(.untracked) { json in
            for entry in explanation.untracked { json.object { entry.encode(to: &$0) } }
        }
        json.array(.ended) { json in
            for entry in explanation.ended { json.object { entry.encode(to: &$0) } }
        }
        if explanation.omitted > 0 { json.member(.omitted, explanation.omitted) }
    }
}

extension GateOpening {
    fileprivate func encode(to json: inout JSONWriter) {
        json.member(.unchanged, unchanged)
        switch cause {
        case .change(let box, let excess, let limit):
            json.member(.cause, "change")
            json.object(.box) { box.encode(to: &$0) }
            json.member(.excess, excess)
            json.member(.limit, limit)
        case .refresh(let limit):
            json.member(.cause, "refresh")
            json.member(.key, "gate.refresh")
            json.member(.limitMilliseconds, Int((limit * 1000).rounded()))
        case .track: json.member(.cause, "track")
        case .reset: json.member(.cause, "reset")
        }
    }
}

extension Explanation.Untracked {
    fileprivate func encode(to json: inout JSONWriter) {
        json.object(.box) { box.encode(to: &$0) }
        if let confidence { json.member(.confidence, confidence) }
        switch cause {
        case .invalid: json.member(.cause, "invalid")
        case .belowLow(let limit):
            json.member(.cause, "below_threshold")
            json.member(.key, "low")
            json.member(.limit, limit)
        case .belowBirth(let limit):
            json.member(.cause, "below_threshold")
            json.member(.key, "birth")
            json.member(.limit, limit)
        case .suppressed(let overlap):
            json.member(.cause, "suppressed")
            json.member(.overlap, overlap)
        case .capacity(let limit):
            json.member(.cause, "capacity")
            json.member(.limit, limit)
        case .tentative(let hits, let limit):
            json.member(.cause, "tentative")
            json.member(.key, "hits")
            json.member(.hits, hits)
            json.member(.limit, limit)
        case .outOfFocus:
            json.member(.cause, "out_of_focus")
            json.member(.key, "focus")
        case .unconfirmed(let reads, let limit):
            json.member(.cause, "unconfirmed")
            json.member(.key, "confirm_reads")
            json.member(.reads, reads)
            json.member(.limit, limit)
        case .cooldown(let limit):
            json.member(.cause, "cooldown")
            json.member(.key, "cooldown")
            json.member(.limitMilliseconds, Int((limit * 1000).rounded()))
        case .sameValue:
            json.member(.cause, "same_value")
            json.member(.key, "identity")
        case .notAllowed:
            json.member(.cause, "filtered")
            json.member(.key, "allow")
        case .denied:
            json.member(.cause, "filtered")
            json.member(.key, "deny")
        case .undecoded:
            json.member(.cause, "undecoded")
            json.member(.key, "report_undecoded")
        case .belowMinSize(let limit):
            json.member(.cause, "too_small")
            json.member(.key, "min_size")
            json.member(.limit, limit)
        }
    }
}

extension Explanation.Ended {
    fileprivate func encode(to json: inout JSONWriter) {
        if let track { json.member(.track, track.description) }
        json.object(.box) { box.encode(to: &$0) }
        switch rule {
        case .maxGap(let unseen, let limit, let runs):
            json.member(.rule, "max_gap")
            json.member(.unseen, Int((unseen * 1000).rounded()))
            json.member(.limitMilliseconds, Int((limit * 1000).rounded()))
            json.member(.missedRuns, runs)
        case .maxGapFrames(let runs, let limit):
            json.member(.rule, "max_gap_frames")
            json.member(.missedRuns, runs)
            json.member(.limit, limit)
        case .hits(let hits, let limit):
            json.member(.rule, "hits")
            json.member(.hits, hits)
            json.member(.limit, limit)
        case .confirmReads(let reads, let limit):
            json.member(.rule, "confirm_reads")
            json.member(.reads, reads)
            json.member(.limit, limit)
        case .payload: json.member(.rule, "payload")
        case .capacity(let limit):
            json.member(.rule, "capacity")
            json.member(.limit, limit)
        case .focus: json.member(.rule, "focus")
        case .discontinuity: json.member(.rule, "discontinuity")
        }
    }
}
