// SPDX-License-Identifier: Apache-2.0
import Observations

/// The places that look like codes and gave nothing: not to be searched with everything again, but one after the other
/// in other ways.
struct PlaceLedger {
    struct Entry: Equatable {
        var box: Box
        var schedule: AttemptSchedule
        /// Whether the picture there has changed since the search tried it: what lies there now may be more than this
        /// box.
        var hasChanged = false
        /// Seconds of the stream when the search last met it.
        var lastMet: Double
    }

    /// More are searched again by the next scan.
    static let capacity = 96
    /// Seconds after which a place is searched with everything again.
    static let lifetime = 3.0

    private(set) var entries: [Entry] = []

    /// Places whose picture has changed since, or has not.
    func boxes(changed: Bool) -> [Box] { entries.filter { $0.hasChanged == changed }.map(\.box) }

    mutating func reset() { entries.removeAll() }

    /// Places that a search tried in vain. One that moves goes on with its attempts.
    mutating func failed(_ boxes: [Box], at seconds: Double) {
        for box in boxes {
            var schedule = AttemptSchedule(due: seconds + 0.03, wasPlain: true)
            entries.removeAll { entry in
                guard entry.hasChanged, entry.box.intersectionArea(box) > 0.5 * max(entry.box.area, box.area) else {
                    return false
                }
                if entry.schedule.attempts > schedule.attempts { schedule = entry.schedule }
                return true
            }
            guard entries.count < Self.capacity else { break }
            entries.append(Entry(box: box, schedule: schedule, lastMet: seconds))
        }
    }

    /// Something was read or is followed there.
    mutating func resolved(_ box: Box) {
        entries.removeAll { $0.box.intersectionArea(box) > 0.35 * $0.box.area }
    }

    /// Forgets what is old, and hurries what has changed.
    mutating func advance(to seconds: Double, hasChanged: (Box) -> Bool) {
        entries.removeAll { seconds - $0.lastMet > Self.lifetime }
        for index in entries.indices where hasChanged(entries[index].box) {
            entries[index].schedule.placeChanged(at: seconds)
            entries[index].hasChanged = true
        }
    }

    /// The place to look at next, and how; the one with the fewest attempts, the strongest among equals. Nil: none is
    /// due, or none of these may be looked at.
    mutating func next(
        at seconds: Double, where mayLook: (Box, LookingWay) -> Bool = { _, _ in true }
    ) -> (box: Box, way: LookingWay)? {
        var best: Int?
        for index in entries.indices where entries[index].schedule.isDue(at: seconds) {
            guard mayLook(entries[index].box, entries[index].schedule.way) else { continue }
            if let known = best, entries[known].schedule.attempts <= entries[index].schedule.attempts { continue }
            best = index
        }
        guard let best else { return nil }
        return (entries[best].box, entries[best].schedule.attempt(at: seconds))
    }
}
