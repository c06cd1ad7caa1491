// SPDX-License-Identifier: Apache-2.0
import EventLines
import JSONLines
import Observations

/// The types of the lines that belong to a connection and not to the log.
package enum ConnectionLineType: String, Sendable, CaseIterable {
    case hello, state, gap, ping, error
}

extension FieldName {
    package static var server: FieldName { FieldName("server") }
    package static var nextSequence: FieldName { FieldName("next_seq") }
    package static var journal: FieldName { FieldName("journal") }
    package static var first: FieldName { FieldName("first") }
    package static var pipelines: FieldName { FieldName("pipelines") }
    package static var name: FieldName { FieldName("name") }
    package static var detectors: FieldName { FieldName("detectors") }
    package static var lines: FieldName { FieldName("lines") }

    package static var asOf: FieldName { FieldName("as_of") }
    package static var more: FieldName { FieldName("more") }
    package static var tracks: FieldName { FieldName("tracks") }
    package static var searches: FieldName { FieldName("searches") }

    package static var from: FieldName { FieldName("from") }
    package static var to: FieldName { FieldName("to") }
    package static var lost: FieldName { FieldName("lost") }

    package static var echo: FieldName { FieldName("echo") }
}

/// Writes the lines of a connection itself. These lines are in no log and have no sequence number. Each line ends with
/// a newline.
enum ConnectionLine {
    static func hello(_ log: EventLog, server: String, time: Timestamp) -> [UInt8] {
        line(.hello, time) { json in
            json.member(.server, server)
            json.member(.runID, log.runID)
            json.member(.nextSequence, log.journal.nextSequence)
            // The member is absent while the journal is empty.
            if log.firstSequence < log.journal.nextSequence {
                json.object(.journal) { json in
                    json.member(.first, log.firstSequence)
                    json.member(.last, log.journal.nextSequence - 1)
                }
            }
            json.array(.pipelines) { json in
                for pipeline in log.pipelines where !pipeline.isRemoved { json.object { pipeline.encode(to: &$0) } }
            }
        }
    }

    /// Writes the live tracks and searches as `state` lines. If one line would exceed 64 KiB, several lines with an
    /// equal `as_of` follow each other, and all but the last have `"more":true`.
    ///
    /// - Parameters:
    ///   - isShown: whether a live track of the pipeline with the given index is included.
    ///   - isSearchShown: whether the newest line of a live search of the pipeline with the given index is included.
    static func state(
        _ log: EventLog, time: Timestamp, isShown: (Int, PipelineLedger.LiveTrack) -> Bool = { _, _ in true },
        isSearchShown: (Int, EncodedEvent) -> Bool = { _, _ in true }
    ) -> [UInt8] {
        var pages = StatePages()
        for (index, pipeline) in log.pipelines.enumerated() where !pipeline.isRemoved {
            for (_, track) in pipeline.orderedTracks where isShown(index, track) {
                pages.append(track.newest.stateObject, to: \.tracks)
            }
            if let search = pipeline.search, isSearchShown(index, search) {
                pages.append(search.stateObject, to: \.searches)
            }
        }
        return pages.pages.enumerated().flatMap { index, page in
            line(.state, time) { json in
                json.member(.runID, log.runID)
                json.member(.asOf, log.journal.nextSequence - 1)
                if index < pages.pages.count - 1 { json.member(.more, true) }
                json.array(.tracks) { json in
                    for object in page.tracks { json.element(raw: object) }
                }
                guard !page.searches.isEmpty else { return }
                json.array(.searches) { json in
                    for object in page.searches { json.element(raw: object) }
                }
            }
        }
    }

    /// - Parameters:
    ///   - sequences: the sequence numbers that the subscriber does not receive; nil if unknown.
    ///   - lost: the number of lost events by type, over the whole log and independent of the subscriber's filter; nil
    ///     if no longer known.
    static func gap(
        _ sequences: ClosedRange<UInt64>?, lost: EventCounts?, reason: GapReason, time: Timestamp
    ) -> [UInt8] {
        line(.gap, time) { json in
            if let sequences {
                json.member(.from, sequences.lowerBound)
                json.member(.to, sequences.upperBound)
            }
            if let lost {
                json.object(.lost) { json in
                    for kind in EncodedEvent.Kind.allCases where lost[kind] > 0 {
                        json.member(dynamicKey: kind.name, lost[kind])
                    }
                }
            }
            json.member(.reason, reason.rawValue)
        }
    }

    static func ping(echo: String?, time: Timestamp) -> [UInt8] {
        line(.ping, time) { json in
            if let echo { json.member(.echo, echo) }
        }
    }

    /// - Parameter request: the subscriber's request as text; cut to 256 characters.
    static func error(_ reason: String, request: String?, time: Timestamp) -> [UInt8] {
        line(.error, time) { json in
            json.member(.reason, reason)
            if let request { json.member(.line, String(request.prefix(256))) }
        }
    }

    private static func line(_ type: ConnectionLineType, _ time: Timestamp, _ members: (inout JSONWriter) -> Void)
        -> [UInt8]
    {
        var json = JSONWriter()
        json.object { json in
            json.member(.version, 1)
            json.member(.type, type.rawValue)
            json.member(.time, time.rfc3339)
            json.member(.clock, ClockSource.arrival.rawValue)
            members(&json)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

/// The objects of `state` lines, divided into pages that each fit into one line.
private struct StatePages {
    struct Page {
        var tracks: [[UInt8]] = []
        var searches: [[UInt8]] = []
    }

    private static let limit = EventEncoder.maximumLineBytes - EventEncoder.envelopeAllowance
    private(set) var pages = [Page()]
    private var bytes = 0

    mutating func append(_ object: [UInt8], to list: WritableKeyPath<Page, [[UInt8]]>) {
        if bytes + object.count > Self.limit, bytes > 0 {
            pages.append(Page())
            bytes = 0
        }
        pages[pages.count - 1][keyPath: list].append(object)
        bytes += object.count + 1
    }
}

/// The reason why a subscriber does not receive the events that it asked for.
package enum GapReason: String, Sendable {
    /// The subscriber read too slowly, and the journal no longer has the events.
    case slow
    /// The requested events are older than the journal.
    case journal
    /// Somebody removed events with `glimpsed forget`. Other events of the gap can be missing for another reason.
    case forgotten
    /// The subscriber requested the events of another run.
    case otherRun = "other_run"
}

extension PipelineLedger {
    /// The pipeline's object in `hello`.
    fileprivate func encode(to json: inout JSONWriter) {
        json.member(.name, identity.name)
        json.member(.state, state)
        if let reason { json.member(.reason, reason) }
        json.array(.detectors) { json in
            for detector in detectors {
                json.object { json in
                    json.member(.name, detector.name)
                    detector.encode(to: &json)
                }
            }
        }
        if !places.zones.isEmpty {
            json.array(.zones) { json in
                for zone in places.zones { json.element(zone) }
            }
        }
        guard !places.lines.isEmpty else { return }
        json.array(.lines) { json in
            for line in places.lines {
                let total = lines.lines[line]
                json.object { json in
                    json.member(.name, line)
                    json.member(.crossedIn, total?.crossedIn ?? 0)
                    json.member(.crossedOut, total?.crossedOut ?? 0)
                }
            }
        }
    }
}

/// The `error` line for a connection refused before it has a subscriber.
package func refusalLine(_ reason: String, at moment: Moment) -> [UInt8] {
    ConnectionLine.error(reason, request: nil, time: moment.time)
}
