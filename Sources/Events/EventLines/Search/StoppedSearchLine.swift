// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Search

/// Writes the last `search` line of a live search whose worker can no longer write it, from the session's newest line.
package enum StoppedSearchLine {
    /// - Returns: nil if the worker has already written the line.
    package static func event(newest: EncodedEvent) -> EncodedEvent? {
        guard let last = JSONMembers(newest.body[...]), last.text(.state) != SearchState.notStarted.rawValue else {
            return nil
        }
        var json = JSONWriter(reservingCapacity: 512)
        json.object { json in
            json.member(.type, EncodedEvent.Kind.search.name)
            json.copyHead(of: last, at: last)
            json.member(.state, SearchState.notStarted.rawValue)
            SearchState.notStarted.hint.encode(to: &json)
        }
        return EncodedEvent(
            kind: .search, detector: newest.detector, feature: newest.feature, body: Array(json.bytes.dropFirst()))
    }
}
