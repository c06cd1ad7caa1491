// SPDX-License-Identifier: Apache-2.0
import EventLines
import JSONLines
import Observations

/// The counts of a pipeline's tracks. Their number is bounded, so that a broken worker cannot make more of them.
package struct TrackCounts: Sendable {
    package struct Crossing: Sendable, Hashable {
        package var line: String
        package var direction: CrossingLine.Direction
        package var kind: FeatureKind

        package init(line: String, direction: CrossingLine.Direction, kind: FeatureKind) {
            (self.line, self.direction, self.kind) = (line, direction, kind)
        }
    }

    package struct End: Sendable, Hashable {
        package var kind: FeatureKind
        package var reason: CompletionReason

        package init(kind: FeatureKind, reason: CompletionReason) { (self.kind, self.reason) = (kind, reason) }
    }

    package struct Presence: Sendable, Hashable {
        package var zone: String
        package var kind: FeatureKind

        package init(zone: String, kind: FeatureKind) { (self.zone, self.kind) = (zone, kind) }
    }

    /// The number of kinds that are counted. Tracks of further kinds are not.
    private static let mostKinds = 40
    /// The number of combinations of a zone or a line with a kind that are counted.
    private static let mostPlaces = 1024

    package private(set) var live: [FeatureKind: Int] = [:]
    package private(set) var completed: [End: UInt64] = [:]
    package private(set) var occupancy: [Presence: Int] = [:]
    package private(set) var crossings: [Crossing: UInt64] = [:]

    package init() {}

    /// Whether a kind may be counted; remembers a new kind.
    private mutating func admits(_ kind: FeatureKind) -> Bool {
        if live[kind] != nil { return true }
        guard live.count < Self.mostKinds else { return false }
        live[kind] = 0
        return true
    }

    mutating func began(_ kind: FeatureKind?) {
        guard let kind, admits(kind) else { return }
        live[kind, default: 0] += 1
    }

    mutating func ended(_ kind: FeatureKind?, in zones: Set<String>) {
        guard let kind, let count = live[kind] else { return }
        live[kind] = max(0, count - 1)
        for zone in zones { left(zone, kind) }
    }

    mutating func completed(_ event: EncodedEvent) {
        guard let kind = event.feature, admits(kind),
            let reason = JSONMembers.value(.reason, in: event.body[...]).flatMap(JSONMembers.string)
                .flatMap(CompletionReason.init)
        else { return }
        completed[End(kind: kind, reason: reason), default: 0] += 1
    }

    /// - Returns: whether the zone is counted.
    mutating func entered(_ zone: String, _ kind: FeatureKind?) -> Bool {
        guard let kind, admits(kind) else { return false }
        let presence = Presence(zone: zone, kind: kind)
        guard occupancy[presence] != nil || occupancy.count < Self.mostPlaces else { return false }
        occupancy[presence, default: 0] += 1
        return true
    }

    mutating func left(_ zone: String, _ kind: FeatureKind?) {
        guard let kind, let count = occupancy[Presence(zone: zone, kind: kind)] else { return }
        occupancy[Presence(zone: zone, kind: kind)] = max(0, count - 1)
    }

    mutating func crossed(_ event: EncodedEvent) {
        guard let kind = event.feature, admits(kind), let members = JSONMembers(event.body[...]),
            let line = members.string(.line),
            let direction = members.text(.direction).flatMap(CrossingLine.Direction.init)
        else { return }
        let crossing = Crossing(line: line, direction: direction, kind: kind)
        guard crossings[crossing] != nil || crossings.count < Self.mostPlaces else { return }
        crossings[crossing, default: 0] += 1
    }
}
