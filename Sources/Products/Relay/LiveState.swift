import Glibc
import GlimpseClient
import JSONLines

/// The present state of the pipelines, from one connection of the event stream without resumption. The type is pure.
package struct LiveState: Sendable {
    package enum Change: Sendable, Equatable {
        case none
        case pipeline(String)
        /// The state of all pipelines is known.
        case all
        /// The state must be read again, by another connection.
        case stale
        /// The daemon is gone.
        case lost
    }

    fileprivate struct TrackKey: Hashable {
        let detector: String
        let id: String
    }

    fileprivate struct Track {
        var kind: String
        var zones: Set<String>
    }

    fileprivate struct Pipeline {
        var state: String
        var reason: String?
        var error: String?
        var kinds: Set<String>
        var zones: [String]
        var lines: [(name: String, totalIn: Int, totalOut: Int)]
        var tracks: [TrackKey: Track] = [:]
    }

    /// Patterns of names; empty: all.
    private let patterns: [String]
    private let kinds: Set<String>
    private var pipelines: [String: Pipeline] = [:]
    private var asOf: UInt64 = 0
    private var isSettled = false

    package init(pipelines: [String] = [], kinds: [String] = []) {
        patterns = pipelines
        self.kinds = Set(kinds)
    }

    package var names: [String] { pipelines.keys.sorted() }

    package mutating func take(_ event: Event) -> Change {
        switch event.content {
        case .hello(let hello): begin(hello)
        case .state(let state):
            for entry in state.tracks { record(entry.track) }
            guard !state.hasMore else { return .none }
            (asOf, isSettled) = (state.asOf ?? 0, true)
            return .all
        case .disconnected:
            isSettled = false
            return .lost
        case .gap, .configuration: return isSettled ? .stale : .none
        default: return record(event)
        }
        return .none
    }

    private mutating func begin(_ hello: Hello) {
        (pipelines, isSettled) = ([:], false)
        for pipeline in hello.pipelines where matches(pipeline.name) {
            pipelines[pipeline.name] = Pipeline(
                state: pipeline.state ?? "connecting", reason: pipeline.reason,
                kinds: Set(pipeline.detectors.compactMap(\.kind).filter(wants)), zones: pipeline.zones,
                lines: pipeline.lines.map { ($0.name, $0.totalIn, $0.totalOut) })
        }
    }

    private func matches(_ name: String) -> Bool {
        patterns.isEmpty || patterns.contains { fnmatch($0, name, 0) == 0 }
    }

    private func wants(_ kind: String) -> Bool { kinds.isEmpty || kinds.contains(kind) }

    private mutating func record(_ event: Event) -> Change {
        guard isSettled, let position = event.position, position.sequence > asOf, let name = event.pipeline else {
            return .none
        }
        guard pipelines[name] != nil else { return matches(name) ? .stale : .none }
        switch event.content {
        case .track(let track): record(track)
        case .zone(let change):
            let key = TrackKey(detector: change.detector, id: change.id)
            if change.state == "left" {
                pipelines[name]?.tracks[key]?.zones.remove(change.zone)
            } else {
                pipelines[name]?.tracks[key]?.zones.insert(change.zone)
            }
        case .line(let crossing):
            guard let index = pipelines[name]?.lines.firstIndex(where: { $0.name == crossing.line }),
                let totalIn = crossing.totalIn, let totalOut = crossing.totalOut
            else { return .none }
            pipelines[name]?.lines[index] = (crossing.line, totalIn, totalOut)
        case .source(let source):
            pipelines[name]?.state = source.state
            pipelines[name]?.reason = source.reason
            pipelines[name]?.error = source.error
        case .detector(let detector):
            guard let kind = detector.kind, wants(kind) else { return .none }
            pipelines[name]?.kinds.insert(kind)
        default: return .none
        }
        return .pipeline(name)
    }

    private mutating func record(_ track: TrackEvent) {
        guard wants(track.kind) else { return }
        let key = TrackKey(detector: track.detector, id: track.id)
        guard track.phase != .completed else {
            pipelines[track.pipeline]?.tracks[key] = nil
            return
        }
        var entry = pipelines[track.pipeline]?.tracks[key] ?? Track(kind: track.kind, zones: [])
        if let zones = track.zones { entry.zones = Set(zones) }
        pipelines[track.pipeline]?.tracks[key] = entry
        pipelines[track.pipeline]?.kinds.insert(track.kind)
    }

    // MARK: Retained messages

    /// The retained messages about a pipeline, in the order of publication.
    package func messages(about name: String, _ topics: TopicNames) -> [(topic: String, payload: String)] {
        guard let pipeline = pipelines[name] else { return [] }
        var messages: [(String, String)] = []
        func count(_ topic: (String) -> String, _ count: Int) {
            messages.append((topic("count"), "\(count)"))
            messages.append((topic("occupancy"), count > 0 ? "ON" : "OFF"))
        }
        let tracks = pipeline.tracks.values
        for kind in pipeline.kinds.sorted() {
            count({ topics.kind(name, kind, $0) }, tracks.count { $0.kind == kind })
        }
        for zone in pipeline.zones {
            count({ topics.zone(name, zone, $0) }, tracks.count { $0.zones.contains(zone) })
        }
        for line in pipeline.lines {
            messages.append((topics.line(name, line.name, "in"), "\(line.totalIn)"))
            messages.append((topics.line(name, line.name, "out"), "\(line.totalOut)"))
        }
        messages.append((topics.pipelineState(name), pipeline.attributes))
        messages.append((topics.pipelineStatus(name), pipeline.isOnline ? "online" : "offline"))
        return messages
    }
}

extension LiveState.Pipeline {
    /// A pipeline that waits for a subscriber is idle, not broken.
    fileprivate var isOnline: Bool {
        ["connected", "idle"].contains(state) || (state == "paused" && reason == "on_demand")
    }

    fileprivate var attributes: String {
        var json = JSONWriter()
        json.object { json in
            json.member("state", state)
            if let reason { json.member("reason", reason) }
            if let error { json.member("error", error) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
