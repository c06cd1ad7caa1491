// SPDX-License-Identifier: Apache-2.0
import Observations

/// A session's view of a frame: the object that is meant, if any.
struct SearchSight {
    /// The object on the reticle, or the selected one.
    private(set) var chosen: Track?
    private(set) var selected: Track?
    private(set) var isAnythingThere = false
    /// More than one object on the reticle, one over the other.
    private(set) var isCrowded = false

    private let (width, height): (Float, Float)
    private let isBarcode: Bool

    init(_ tracks: [Track], frame: FrameInfo, _ configuration: SearchConfiguration, selection: TrackID?) {
        (width, height) = (Float(frame.width), Float(frame.height))
        isBarcode = configuration.source == .barcode
        let there = tracks.filter { Self.counts($0, frame, configuration) }
        let center = Point(x: configuration.center.x * width, y: configuration.center.y * height)
        let radius = configuration.radius * min(width, height)
        selected = selection.flatMap { id in there.first { $0.id == id } }
        switch configuration.source {
        case .prominent:
            isAnythingThere = !there.isEmpty
            let meeting = there.filter { $0.box.meets(center, radius) }
            isCrowded = Self.overlap(meeting.map(\.box))
            let prominent =
                there.first { $0.isMarkedProminent }
                ?? there.max { left, right in
                    left.box.prominence(width: width, height: height)
                        < right.box.prominence(width: width, height: height)
                }
            chosen = prominent.flatMap { $0.box.meets(center, radius) ? $0 : nil }
        case .any:
            isAnythingThere = !there.isEmpty
            let near = there.filter { $0.box.center.distance(to: center) <= radius }
            isCrowded = Self.overlap(near.map(\.box))
            chosen = near.first
        case .barcode:
            let containing = there.filter { $0.box.contains(center) }
            isCrowded = containing.count > 1
            chosen = containing.first
            // Codes beside the reticle are none, as on the phone.
            isAnythingThere = chosen != nil
        }
        if let selected {
            (chosen, isAnythingThere) = (selected, true)
        }
    }

    /// A proportion: see `SearchConfiguration.minimumSize`.
    func size(of object: Track) -> Float {
        isBarcode ? object.box.width / width : max(object.box.width, object.box.height) / max(width, height)
    }

    private static func counts(_ track: Track, _ frame: FrameInfo, _ configuration: SearchConfiguration) -> Bool {
        guard track.box.isValid else { return false }
        if track.missingFrames > 0, frame.time.nanoseconds &- track.lastSeen.nanoseconds > configuration.hold {
            return false
        }
        switch track.detection.content {
        case .barcode(let barcode): return configuration.source == .barcode && barcode.format != nil
        case .object(let object):
            guard configuration.source != .barcode else { return false }
            return !configuration.ignoresUnknown || object.isKnown
        default: return false
        }
    }

    private static func overlap(_ boxes: [Box]) -> Bool {
        for (index, box) in boxes.enumerated()
        where boxes[(index + 1)...].contains(where: { $0.intersectionArea(box) > 0 }) {
            return true
        }
        return false
    }
}

extension Track {
    fileprivate var isMarkedProminent: Bool {
        if case .object(let object) = detection.content { object.isProminent } else { false }
    }
}

extension ObjectLabels {
    /// It has a label or a category, and neither says that it is unknown.
    fileprivate var isKnown: Bool {
        if category == .unknown { return false }
        return category != nil || (!labels.isEmpty && !labels.contains { $0.text == "N/A" })
    }
}

extension Box {
    fileprivate func contains(_ point: Point) -> Bool {
        point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
    }

    /// Whether it intersects the square of this half side round a point.
    fileprivate func meets(_ center: Point, _ radius: Float) -> Bool {
        maxX > center.x - radius && x < center.x + radius && maxY > center.y - radius && y < center.y + radius
    }
}

extension Point {
    fileprivate func distance(to other: Point) -> Float {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}
