// SPDX-License-Identifier: Apache-2.0
import Observations

/// Remembers the searched things, so that none is searched twice while it stays.
struct SearchCooldown: Sendable {
    fileprivate struct Entry {
        var tracks: [TrackID]
        var content: Detection.Content
        /// When it was on the reticle, or shown, for the last time.
        var last: Int64
    }

    /// More than anybody can show within a cool-down; the oldest gives way.
    private static let capacity = 64

    private let length: Int64
    private var entries: [Entry] = []

    init(_ length: Int64) {
        self.length = length
    }

    mutating func searched(_ query: SearchQuery, previous: TrackID?, at now: Int64) {
        guard length > 0 else { return }
        entries.removeAll { $0.tracks.contains(query.track) }
        if entries.count >= Self.capacity { entries.removeFirst() }
        entries.append(
            Entry(tracks: [query.track] + (previous.map { [$0] } ?? []), content: query.detection.content, last: now))
    }

    /// Its results are not shown any more.
    mutating func left(_ query: SearchQuery, at now: Int64) {
        for index in entries.indices where entries[index].tracks.contains(query.track) { entries[index].last = now }
    }

    /// Whether an object that is on the reticle is one that was searched, and has not been away for long enough. It is
    /// on the reticle from now on.
    mutating func holds(_ object: Track, at now: Int64) -> Bool {
        entries.removeAll { now - $0.last >= length }
        guard let index = entries.firstIndex(where: { $0.isSame(as: object) }) else { return false }
        entries[index].last = now
        if !entries[index].tracks.contains(object.id) { entries[index].tracks = [object.id, entries[index].tracks[0]] }
        return true
    }

    mutating func restart(at now: Int64) {
        for index in entries.indices { entries[index].last = now }
    }
}

extension SearchCooldown.Entry {
    /// By id, by what the tracker says it was before, or by what it says.
    fileprivate func isSame(as object: Track) -> Bool {
        if tracks.contains(object.id) { return true }
        if let previous = object.previous?.id, tracks.contains(previous) { return true }
        guard case .barcode(let mine) = content, case .barcode(let other) = object.detection.content else {
            return false
        }
        return mine.format == other.format && mine.bytes == other.bytes
    }
}
