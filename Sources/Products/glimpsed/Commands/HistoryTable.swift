// SPDX-License-Identifier: Apache-2.0
import DiskJournal
import EventLines
import JSONLines
import TerminalText

/// Entries of the history as a table: time, pipeline, track, duration, end, value and picture.
struct HistoryTable {
    /// Lines without newlines.
    let lines: [String]

    init(_ entries: [History.Entry]) {
        lines = TextTable(
            ["LAST SEEN", "PIPELINE", "KIND", "ID", "SEEN FOR", "END", "WHAT", "PICTURE"],
            entries.map { entry in
                let picture = entry.picture ?? ""
                switch entry.content {
                case .track(let track):
                    return [
                        Self.second(track.lastSeen.rfc3339), track.pipeline, track.kind.rawValue, track.id,
                        Self.duration(track.milliseconds), track.reason, track.value ?? "", picture,
                    ]
                case .search(let search):
                    return [
                        Self.second(search.time.rfc3339), search.pipeline, search.kind.rawValue, search.track,
                        "search \(search.id)", search.words, search.value ?? "", picture,
                    ]
                }
            }
        ).lines()
    }

    private static func second(_ time: String) -> String { "\(time.prefix(19))Z" }

    private static func duration(_ milliseconds: Int64) -> String {
        guard milliseconds < 60_000 else { return StatusTable.duration(milliseconds) }
        let tenths = (milliseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

extension FinishedSearch {
    /// The result of the search as text.
    fileprivate var words: String {
        switch outcome {
        case "results": "found: \(title ?? "") (\(confidence ?? "?"))"
        case "value": ""
        case "failed": "failed: \(reason ?? "")"
        default: outcome.replacing("_", with: " ")
        }
    }
}
