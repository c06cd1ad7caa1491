// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// Finds the crossings of lines by the tracks of a detector. The type is pure.
///
/// A track is on a side of a line once its anchor has been farther from the line than the hysteresis. It crosses when
/// it gets to the other side, and its way between the two sides led through the line and not around an end. While a
/// track is missing nothing is known of it; its way goes straight from its last place to the next.
struct LineWatch: Sendable {
    /// The way of a track beside one line.
    fileprivate struct Way {
        /// The side on which the track was last, farther than the hysteresis: -1 left, 1 right, 0 none so far.
        var side: Float = 0
        /// The last place that was not exactly on the line, and its distance.
        var place: (point: Point, distance: Float)?
        /// Whether the way led through the line where it last changed sides.
        var isThrough = false
    }

    /// May change at any time. Tracks begin anew at a line that has moved.
    var lines: [CrossingLine] = [] {
        didSet {
            for old in oldValue where !lines.contains(where: { $0.name == old.name && $0.isPlaced(as: old) }) {
                for id in ways.keys { ways[id]?[old.name] = nil }
            }
        }
    }
    private var ways: [TrackID: [String: Way]] = [:]

    /// Takes the next event of a track.
    ///
    /// - Returns: the lines that the track crossed with this event.
    mutating func take(_ event: TrackEvent) -> [LineEvent] {
        guard !lines.isEmpty else { return [] }
        switch event.phase {
        case .missing: return []
        case .completed:
            ways[event.track.id] = nil
            return []
        case .detected, .update:
            guard let box = event.track.box.normalised(in: event.frame) else { return [] }
            // Distances are proportions of the picture's width in both directions.
            let aspect = Float(event.frame.height) / Float(event.frame.width)
            return lines.compactMap { line in
                guard line.kinds.isEmpty || line.kinds.contains(event.track.kind),
                    let direction = ways[event.track.id, default: [:]][line.name, default: Way()].move(
                        to: line.anchor.point(of: box).scaled(aspect), past: line, aspect),
                    line.labels.isEmpty
                        || event.track.detection.content.labels.first.map({ line.labels.contains($0.text) }) == true
                else { return nil }
                return LineEvent(line: line.name, direction: direction, track: event)
            }
        }
    }
}

extension LineWatch.Way {
    /// - Returns: the direction if the track has now crossed the line.
    fileprivate mutating func move(to point: Point, past line: CrossingLine, _ aspect: Float) -> CrossingLine.Direction?
    {
        let (from, to) = (line.from.scaled(aspect), line.to.scaled(aspect))
        let (x, y) = (to.x - from.x, to.y - from.y)
        let length = (x * x + y * y).squareRoot()
        guard length > 0 else { return nil }
        // Positive on the right of somebody who walks from `from` to `to`, because y grows downwards.
        let distance = (x * (point.y - from.y) - y * (point.x - from.x)) / length
        guard distance != 0 else { return nil }
        if let place, (place.distance > 0) != (distance > 0) {
            let share = abs(place.distance) / (abs(place.distance) + abs(distance))
            let (crossX, crossY) = (
                place.point.x + share * (point.x - place.point.x), place.point.y + share * (point.y - place.point.y)
            )
            let along = (x * (crossX - from.x) + y * (crossY - from.y)) / (length * length)
            isThrough = (0...1).contains(along)
        }
        place = (point, distance)
        guard abs(distance) >= line.hysteresis else { return nil }
        let (old, new): (Float, Float) = (side, distance > 0 ? 1 : -1)
        side = new
        guard old != 0, old != new, isThrough else { return nil }
        return new > 0 ? .in : .out
    }
}

extension CrossingLine {
    fileprivate func isPlaced(as other: CrossingLine) -> Bool {
        (from, to, anchor) == (other.from, other.to, other.anchor)
    }
}

extension Point {
    fileprivate func scaled(_ aspect: Float) -> Point { Point(x: x, y: y * aspect) }
}
