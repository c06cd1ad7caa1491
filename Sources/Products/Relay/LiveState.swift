// SPDX-License-Identifier: Apache-2.0
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
    /// The kinds of a pipeline in an earlier process.
    private let earlierKinds: @Sendable (String) -> Set<String>
    private var pipelines: [String: Pipeline] = [:]
    private var asOf: UInt64 = 0
    private var isSettled = false

    package init(
        pipelines: [String] = [], kinds: [String] = [],
        earlierKinds: @escaping @Sendable (String) -> Set<String> = { _ in [] }
    ) {
        patterns = pipelines
        self.earlierKinds = earlierKinds
        self.kinds = Set(kinds)
    }

    package var names: [String] { pipelines.keys.sorted() }

    /// nil: there is no such pipeline.
    package func outline(of name: String) -> PipelineOutline? {
        pipelines[name].map { pipeline in
            PipelineOutline(
                name: name, kinds: pipeline.kinds.sorted(), zones: pipeline.zones, lines: pipeline.lines.map(\.name))
        }
    }

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

    /// A pipeline whose worker starts has no detectors yet. It keeps its kinds, so that their entities stay.
    private mutating func begin(_ hello: Hello) {
        let before = pipelines
        (pipelines, isSettled) = ([:], false)
        for pipeline in hello.pipelines where matches(pipeline.name) {
            let kinds =
                pipeline.detectors.isEmpty
                ? before[pipeline.name]?.kinds ?? earlierKinds(pipeline.name)
                : Set(pipeline.detectors.compactMap(\.kind))
            pipelines[pipeline.name] = Pipeline(
                state: pipeline.state ?? "connecting", reason: pipeline.reason, kinds: kinds.filter(wants),
                zones: pipeline.zones,
                lines: pipeline.lines.map { ($0.name, $0.totalIn, $0.totalOut) })
        }
    }

    private func matches(_ name: String) -> Bool {
        patterns.isEmpty || patterns.contains { fnmatch($0, name, 0) == 0 }
    }

    private func wants(_ kind: String) -> Bool { kinds.isEmpty || kinds.contains(kind) }

    /// The state line has tracks up to `asOf`. It lacks the states of sources, detectors and lines, whose events also
    /// count between `hello` and the state line.
    private mutating func record(_ event: Event) -> Change {
        guard let position = event.position, let name = event.pipeline else { return .none }
        guard pipelines[name] != nil else { return isSettled && matches(name) ? .stale : .none }
        let isAfterState = isSettled && position.sequence > asOf
        switch event.content {
        case .track(let track) where isAfterState: record(track)
        case .zone(let change) where isAfterState:
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
        return isSettled ? .pipeline(name) : .none
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
