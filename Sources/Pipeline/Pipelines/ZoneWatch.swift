// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// Tracks which tracks of a detector are in which zones. The type is pure; its only clock is the time of the frames.
///
/// A track enters a zone with its anchor. It leaves the zone when the anchor is outside by more than the hysteresis, or
/// when the track ends. While the track is missing it stays in its zones, and that time does not count as dwell.
struct ZoneWatch: Sendable {
    private struct Stay: Equatable {
        var zone: String
        /// The time that the track was seen in the zone, in nanoseconds.
        var dwell: Int64 = 0
        /// The time of the track's last update; nil while the track is missing.
        var lastSeen: Timestamp?
        var isToldToDwell = false

        mutating func see(at time: Timestamp) {
            if let lastSeen { dwell += time - lastSeen }
            lastSeen = time
        }
    }

    /// May change at any time. A track leaves a removed zone with its next event.
    var zones: [Zone] = []
    /// The zones of each live track, in the order of entering. Tracks without a zone have no entry.
    private var stays: [TrackID: [Stay]] = [:]

    /// Takes the next event of a track, and stores the track's zones in it.
    ///
    /// - Returns: the zones that the track left, entered and dwelt in with this event.
    mutating func take(_ event: inout TrackEvent) -> [ZoneEvent] {
        guard !zones.isEmpty || !stays.isEmpty else { return [] }
        let id = event.track.id
        var before = stays[id] ?? []
        if case .update = event.phase { for index in before.indices { before[index].see(at: event.frame.time) } }
        var now = before
        var changes: [ZoneEvent] = []
        switch event.phase {
        case .completed:
            event.zones = before.map(\.zone)
            stays[id] = nil
            return before.map { ZoneEvent(zone: $0.zone, change: .left(after: $0.dwell), track: event) }
        case .missing:
            now.removeAll { stay in !zones.contains { $0.name == stay.zone } }
            for index in now.indices { now[index].lastSeen = nil }
        case .detected, .update: now = located(event, before)
        }
        event.zones = now.map(\.zone)
        for stay in before where !now.contains(where: { $0.zone == stay.zone }) {
            changes.append(ZoneEvent(zone: stay.zone, change: .left(after: stay.dwell), track: event))
        }
        for index in now.indices {
            let stay = now[index]
            if !before.contains(where: { $0.zone == stay.zone }) {
                changes.append(ZoneEvent(zone: stay.zone, change: .entered, track: event))
            }
            if !stay.isToldToDwell, stay.lastSeen != nil,
                let dwell = zones.first(where: { $0.name == stay.zone })?.dwell, dwell > 0, stay.dwell >= dwell
            {
                now[index].isToldToDwell = true
                changes.append(ZoneEvent(zone: stay.zone, change: .dwelling(for: stay.dwell), track: event))
            }
        }
        stays[id] = now.isEmpty ? nil : now
        return changes
    }

    /// The zones of the track at its current position.
    private func located(_ event: TrackEvent, _ before: [Stay]) -> [Stay] {
        guard let box = event.track.box.normalised(in: event.frame) else { return [] }
        var entered: [Stay] = []
        var stayed = before
        stayed.removeAll { stay in
            !zones.contains { $0.name == stay.zone && $0.holds(event.track.kind, box, wasIn: true) }
        }
        for zone in zones where !before.contains(where: { $0.zone == zone.name }) {
            if zone.holds(event.track.kind, box, wasIn: false) {
                entered.append(Stay(zone: zone.name, lastSeen: event.frame.time))
            }
        }
        return stayed + entered
    }
}

extension Zone {
    fileprivate func holds(_ kind: FeatureKind, _ box: Box, wasIn: Bool) -> Bool {
        guard kinds.isEmpty || kinds.contains(kind) else { return false }
        let point = anchor.point(of: box)
        return contains(point) || wasIn && distanceFromEdge(point) <= hysteresis
    }
}

extension Box {
    /// The box in fractions of the frame, clipped to it; nil if the box is outside.
    func normalised(in frame: FrameInfo) -> Box? {
        let (width, height) = (Float(frame.width), Float(frame.height))
        return clipped(width: width, height: height).map {
            Box(x: $0.x / width, y: $0.y / height, width: $0.width / width, height: $0.height / height)
        }
    }
}

extension Timestamp {
    /// The difference in nanoseconds, at least 0, because time may run backwards between two frames.
    fileprivate static func - (later: Timestamp, earlier: Timestamp) -> Int64 {
        let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? 0 : max(0, difference)
    }
}
