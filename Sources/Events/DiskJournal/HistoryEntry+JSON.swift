// SPDX-License-Identifier: Apache-2.0
import EventLines
import JSONLines

extension History.Entry {
    /// One line without its newline.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("v", 1)
            switch content {
            case .track(let track): encode(track, to: &json)
            case .search(let search): encode(search, to: &json)
            }
            json.member("zones", raw: zones)
            if let picture { json.member("picture", picture) }
        }
        return json.bytes
    }

    private func encode(_ track: CompletedTrack, to json: inout JSONWriter) {
        json.member("type", "track")
        json.member("pipeline", track.pipeline)
        json.member("detector", track.detector)
        json.member("kind", track.kind.rawValue)
        json.member("id", track.id)
        json.member("run_id", runID)
        json.member("seq", sequence)
        json.member("first_seen", track.firstSeen.rfc3339)
        json.member("last_seen", track.lastSeen.rfc3339)
        json.member("duration_ms", track.milliseconds)
        json.member("frames", track.frames)
        json.member("reason", track.reason)
        if let value = track.value { json.member("value", value) }
        json.member("last", raw: track.last)
        json.member("best", raw: track.best ?? [])
    }

    private func encode(_ search: FinishedSearch, to json: inout JSONWriter) {
        json.member("type", "search")
        json.member("pipeline", search.pipeline)
        json.member("detector", search.detector)
        json.member("kind", search.kind.rawValue)
        json.member("id", search.track)
        json.member("run_id", runID)
        json.member("seq", sequence)
        json.member("time", search.time.rfc3339)
        json.member("search", search.id)
        json.member("outcome", search.outcome)
        if let value = search.value { json.member("value", value) }
        json.member("object", raw: search.object)
        json.member("answer", raw: search.answer)
    }
}

extension JSONWriter {
    /// Writes nothing for an empty value.
    fileprivate mutating func member(_ key: StaticString, raw value: [UInt8]) {
        guard !value.isEmpty else { return }
        self.key(key)
        element(raw: value)
    }
}
