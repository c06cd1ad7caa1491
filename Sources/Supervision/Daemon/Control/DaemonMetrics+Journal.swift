// SPDX-License-Identifier: Apache-2.0
import DiskJournal
import EventLines
import EventLog
import EventSocket
import Glibc
import JSONLines
import Observations
import Workers

extension DaemonMetrics {
    /// - Parameters:
    ///   - server: the program name and version.
    ///   - journal: nil without a journal on disk.
    init(
        server: String, pipelines: [PipelineReading], subscribers: SubscriberMetrics, log: EventLog,
        journal: DiskJournal.Report?
    ) {
        let now = Moment.now.time.nanoseconds / 1_000_000_000
        let oldest = journal.map(\.oldest) ?? log.journal.oldestSeconds
        self.init(
            version: server.split(separator: " ").last.map(String.init) ?? server, pipelines: pipelines,
            subscribers: subscribers, journalBytes: journal?.bytes ?? log.journal.bytes,
            journalAge: oldest.map { max(0, now - $0) }, process: OwnProcess())
    }
}

extension Journal {
    /// The time of the oldest event in seconds since the Unix epoch; nil without an event, or if its time is a file's.
    fileprivate var oldestSeconds: Int64? {
        guard count > 0 else { return nil }
        let body = event(firstSequence).body[...]
        guard let clock = JSONMembers.value(.clock, in: body).flatMap(JSONMembers.string),
            clock != ClockSource.file.rawValue,
            let time = JSONMembers.value(.time, in: body).flatMap(JSONMembers.string)
        else { return nil }
        return Timestamp(rfc3339: time).map { $0.nanoseconds / 1_000_000_000 }
    }
}
