// SPDX-License-Identifier: Apache-2.0
import Observations

/// The reports of a session: each change of state at once, the rest at a bounded rate.
extension SearchSession {
    mutating func enter(_ new: SearchState, on object: Track? = nil, _ actions: inout [SearchAction]) {
        subject = object
        guard new != state else { return }
        (state, since) = (new, now)
        // A measurement of another region says nothing about this one.
        (quality, nextMeasurement) = (nil, .min)
        tell(&actions)
    }

    mutating func tell(_ actions: inout [SearchAction]) {
        guard let status = status() else { return }
        (told, lastTold) = (status, now)
        actions.append(.tell(status))
    }

    /// Progress and hints, at a bounded rate.
    mutating func tellIfChanged(_ actions: inout [SearchAction]) {
        guard let status = status(), let told, now - lastTold >= Self.tellingInterval else { return }
        guard status.progress != told.progress || status.hint != told.hint else { return }
        tell(&actions)
    }

    mutating func status() -> SearchStatus? {
        guard let frame else { return nil }
        var status = SearchStatus(state: state, frame: frame)
        switch state {
        case .confirming, .tooSmall, .confirmed: status.progress = state == .confirmed ? 1 : progress
        default: break
        }
        if let query {
            (status.track, status.detection) = (query.track, query.detection)
            (status.query, status.crop, status.outcome) = (query.id, query.crop, outcome)
        } else if let subject {
            (status.track, status.detection) = (subject.id, subject.detection)
            status.detection?.box = subject.box
        }
        let poor = quality.flatMap {
            $0.hint(current: poorPicture, judgesFocus: state == .confirming || state == .tooSmall)
        }
        poorPicture = poor
        status.hint = hint(poor)
        if status.hint == poor { status.quality = quality }
        if state == .timedOut || state == .searchFailed { status.help = configuration.help }
        return status
    }

    func hint(_ poor: SearchHint?) -> SearchHint {
        switch state {
        case .detecting, .timedOut: poor ?? state.hint
        // An object on the reticle that is not confirmed cools down.
        case .detected: subject == nil ? state.hint : .alreadySearched
        case .confirming: poor ?? (isCrowded ? .severalObjects : state.hint)
        case .searched: outcome == .noResults ? .noResults : outcome == .lowConfidence ? .lowConfidence : state.hint
        case .searchFailed: outcome.map(\.isNetworkFailure) == true ? .network : state.hint
        case .notStarted, .tooSmall, .confirmed, .searching: state.hint
        }
    }
}

extension SearchOutcome {
    fileprivate var isNetworkFailure: Bool {
        if case .failed(let failure) = self { failure.reason == .network || failure.reason == .timeout } else { false }
    }
}
