// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// An event that makes a clip.
package enum ClipRule: Sendable, Hashable {
    /// A track of this kind; with a label, while it is the track's best label.
    case kind(FeatureKind, label: String?)
    /// A track in this zone.
    case zone(String)
    /// A crossing of this line.
    case line(String)

    /// - Parameter text: `KIND`, `KIND:LABEL`, `zone:NAME` or `line:NAME`.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count > 1 ? parts[1] : nil) {
        case ("zone", let name?): self = .zone(name)
        case ("line", let name?): self = .line(name)
        case (let name, let label):
            guard let kind = FeatureKind(rawValue: name) else { return nil }
            self = .kind(kind, label: label)
        }
    }

    package var text: String {
        switch self {
        case .kind(let kind, nil): kind.rawValue
        case .kind(let kind, let label?): "\(kind.rawValue):\(label)"
        case .zone(let name): "zone:\(name)"
        case .line(let name): "line:\(name)"
        }
    }

    fileprivate func isMet(by event: TrackEvent) -> Bool {
        switch self {
        case .kind(let kind, nil): event.track.kind == kind
        case .kind(let kind, let label):
            event.track.kind == kind && event.track.detection.content.labels.first?.text == label
        case .zone(let name): event.zones.contains(name)
        case .line: false
        }
    }
}

/// Knows from the events which part of the stream clips must show. The type is pure. Times are those of
/// `FrameInfo.presentationTime`.
struct ClipDemand: Sendable {
    private struct Key: Hashable {
        var detector: String
        var track: TrackID
    }

    private let rules: [ClipRule]
    private let after: Int64
    /// The tracks that are seen now and meet a rule.
    private var seen: Set<Key> = []
    /// The time of the last frame with a reason.
    private var last: Int64?
    /// The time of the first frame with a reason, after a time without one; nil before the first.
    private(set) var start: Int64?
    /// The reasons since then.
    private(set) var reasons: Set<ClipRule> = []

    /// - Parameter after: the time after the last frame with a reason, in nanoseconds.
    init(_ rules: [ClipRule], after: Int64) {
        (self.rules, self.after) = (rules, after)
    }

    /// Whether a frame of this time belongs into a clip, as far as the events so far say.
    func isWanted(_ time: Int64) -> Bool { !seen.isEmpty || last.map { time <= $0 + after } ?? false }

    mutating func take(_ event: Event) {
        switch event {
        case .track(let event):
            let key = Key(detector: event.detector, track: event.track.id)
            let met = rules.filter { $0.isMet(by: event) }
            switch event.phase {
            case .detected where !met.isEmpty, .update where !met.isEmpty:
                note(met, at: event.frame.presentationTime)
                seen.insert(key)
            case .detected, .update, .missing, .completed: seen.remove(key)
            }
        case .line(let event):
            let met = rules.filter { $0 == .line(event.line) }
            if !met.isEmpty { note(met, at: event.track.frame.presentationTime) }
        case .source, .detector, .explain, .zone, .snapshot, .frameSnapshot, .search, .frame, .clip: break
        }
    }

    private mutating func note(_ met: [ClipRule], at time: Int64) {
        if !isWanted(time) { (start, reasons) = (time, []) }
        reasons.formUnion(met)
        last = max(last ?? time, time)
    }
}
