// SPDX-License-Identifier: Apache-2.0
import Observations

/// The session while the camera is frozen, and the effect of commands.
extension SearchSession {
    mutating func begin(_ object: Track, _ actions: inout [SearchAction], crop: String? = nil) {
        guard let frame else { return }
        var detection = object.detection
        detection.box = object.box
        begin(
            SearchQuery(
                id: nextQueryID(frame), pipeline: pipeline, detector: detector, track: object.id, detection: detection,
                frame: frame, crop: crop), previous: object.previous?.id, &actions)
    }

    mutating func nextQueryID(_ frame: FrameInfo) -> String {
        searches += 1
        return "\(frame.epoch).\(searches)"
    }

    mutating func begin(_ query: SearchQuery, previous: TrackID?, _ actions: inout [SearchAction]) {
        (self.query, answer, outcome, selection) = (query, nil, nil, nil)
        cooldown.searched(query, previous: previous, at: now)
        enter(.searching, on: subject, &actions)
        if configuration.hasEngine { actions.append(.begin(query)) } else { finishIfDue(&actions) }
    }

    /// Time passes while the camera is frozen.
    mutating func wait(_ actions: inout [SearchAction]) {
        switch state {
        case .searching:
            if configuration.hasEngine, answer == nil {
                guard elapsed >= configuration.timeout, let query else { return }
                actions.append(.cancel(query: query.id))
                finish(
                    .failed(SearchFailure(.timeout, retryable: true, message: "no answer in time")), &actions)
            } else {
                finishIfDue(&actions)
            }
        case .searched:
            if configuration.resultTime > 0, elapsed >= configuration.resultTime { goLive(&actions) }
        case .searchFailed:
            if configuration.failureTime > 0, elapsed >= configuration.failureTime { goLive(&actions) }
        default: break
        }
    }

    mutating func finishIfDue(_ actions: inout [SearchAction]) {
        guard elapsed >= configuration.delay else { return }
        if !configuration.hasEngine {
            finish(.value, &actions)
        } else if let answer {
            finish(configuration.judge(answer), &actions)
        }
    }

    mutating func finish(_ outcome: SearchOutcome, _ actions: inout [SearchAction]) {
        (self.outcome, answer) = (outcome, nil)
        if case .failed = outcome {
            enter(.searchFailed, on: subject, &actions)
        } else {
            enter(.searched, on: subject, &actions)
        }
    }

    /// The camera is live again.
    mutating func goLive(_ actions: inout [SearchAction]) {
        if state == .searching, configuration.hasEngine, let query { actions.append(.cancel(query: query.id)) }
        if let query { cooldown.left(query, at: now) }
        (query, answer, outcome, selection) = (nil, nil, nil, nil)
        enter(.detecting, &actions)
    }

    // MARK: Commands and reports

    mutating func take(_ report: SearchReport, _ actions: inout [SearchAction]) {
        switch report {
        case .cropped(let id, let path):
            // An answer for another object is dropped.
            guard state == .searching, query?.id == id else { return }
            query?.crop = path
            tell(&actions)
        case .answered(let id, let answer):
            guard state == .searching, query?.id == id, self.answer == nil else { return }
            self.answer = answer
            finishIfDue(&actions)
        }
    }

    mutating func take(_ command: SearchCommand, _ actions: inout [SearchAction]) {
        switch (command, state) {
        case (.attend(let isAttended), _):
            if !isAttended { stop(&actions) }
            self.isAttended = isAttended
        case (.search, .confirmed):
            guard let subject else { return }
            begin(subject, &actions)
        case (.dismiss, .searching), (.dismiss, .searched), (.dismiss, .searchFailed), (.dismiss, .timedOut),
            (.retry, .timedOut):
            goLive(&actions)
        case (.dismiss, .confirming), (.dismiss, .confirmed), (.dismiss, .tooSmall), (.dismiss, .detected):
            selection = nil
            enter(.detecting, &actions)
        case (.retry, .searchFailed), (.retry, .searched): retry(&actions)
        case (.select(let id), .detecting), (.select(let id), .detected), (.select(let id), .tooSmall),
            (.select(let id), .confirming), (.select(let id), .confirmed), (.select(let id), .timedOut):
            guard tracks.contains(where: { $0.id == id }) else {
                return actions.append(.refuse("select: track \(id) is not live"))
            }
            selection = id
        case (.answer(let id, let answer), .searching) where query?.id == id && configuration.hasEngine:
            take(.answered(query: id, answer), &actions)
        case (.answer(let id, _), _): actions.append(.refuse("result: search \(id) is not under way"))
        case (let command, let state): actions.append(.refuse("\(command.name): not in state \(state.rawValue)"))
        }
    }

    mutating func retry(_ actions: inout [SearchAction]) {
        switch outcome {
        case .failed(let failure) where !failure.retryable:
            return actions.append(.refuse("retry: the search failed for good (\(failure.reason.rawValue))"))
        case .results, .value: return actions.append(.refuse("retry: the search has its results"))
        default: break
        }
        guard var query, let frame else { return }
        query.id = nextQueryID(frame)
        begin(query, previous: nil, &actions)
    }

    mutating func stop(_ actions: inout [SearchAction]) {
        guard state != .notStarted else { return }
        if state == .searching, configuration.hasEngine, let query { actions.append(.cancel(query: query.id)) }
        (query, answer, outcome, selection, tracks) = (nil, nil, nil, nil, [])
        enter(.notStarted, &actions)
    }
}

extension SearchCommand {
    var name: String {
        switch self {
        case .search: "search"
        case .dismiss: "dismiss"
        case .retry: "retry"
        case .select: "select"
        case .answer: "result"
        case .attend: "attend"
        }
    }
}
