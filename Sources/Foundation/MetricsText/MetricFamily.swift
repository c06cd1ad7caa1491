// SPDX-License-Identifier: Apache-2.0
/// A metric with all its labels: one row of the table of metrics.
///
/// The text formats and `docs/reference/metrics.md` derive from the rows.
package struct MetricFamily: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// The program whose state the metric shows.
    package enum Source: String, Sendable {
        case daemon = "`glimpsed`"
        case relay = "`glimpsed-relay`"
    }

    /// The name of the samples, with the `_total` of a counter.
    package let name: String
    package let kind: Kind
    /// The names of the labels, in the order of a sample.
    package let labels: [String]
    /// One sentence without a full stop.
    package let help: String
    package var source = Source.daemon

    package init(_ kind: Kind, _ name: String, _ labels: [String] = [], _ help: String, source: Source = .daemon) {
        (self.kind, self.name, self.labels, self.help, self.source) = (kind, name, labels, help, source)
    }
}

extension MetricFamily {
    package static let buildInfo = Self(
        .gauge, "glimpse_build_info", ["version"], "Always 1; the label has the version")
    package static let pipelineState = Self(
        .gauge, "glimpse_pipeline_state", ["pipeline", "state"], "1 for the pipeline's current state, 0 for each other")
    package static let framesReceived = Self(
        .counter, "glimpse_frames_received_total", ["pipeline"], "Frames that the source gave, dropped ones included")
    package static let framesDecoded = Self(
        .counter, "glimpse_frames_decoded_total", ["pipeline"], "Frames that the worker received as pictures")
    package static let framesDropped = Self(
        .counter, "glimpse_frames_dropped_total", ["pipeline", "detector", "cause"],
        "Frames without a result: the detector was busy or failed, or max_rate left them out")
    package static let detections = Self(
        .counter, "glimpse_detections_total", ["pipeline", "detector"], "Detections, refused ones included")
    package static let detectionsRefused = Self(
        .counter, "glimpse_detections_refused_total", ["pipeline", "detector"],
        "Detections that a limit of the tracker kept out")
    package static let tracksLive = Self(.gauge, "glimpse_tracks_live", ["pipeline", "kind"], "Live tracks")
    package static let tracksCompleted = Self(
        .counter, "glimpse_tracks_completed_total", ["pipeline", "kind", "reason"], "Tracks that ended, by reason")
    package static let zoneOccupancy = Self(
        .gauge, "glimpse_zone_occupancy", ["pipeline", "zone", "kind"], "Live tracks in the zone")
    package static let lineCrossings = Self(
        .counter, "glimpse_line_crossings_total", ["pipeline", "line", "direction", "kind"],
        "Tracks that crossed the line")
    package static let stageSeconds = Self(
        .histogram, "glimpse_stage_seconds", ["pipeline", "detector", "stage"],
        "Time of a frame in a stage; the stage decode has no detector")
    package static let deliverySeconds = Self(
        .histogram, "glimpse_event_delivery_seconds", [],
        "Time from an event's encoding until it was written to every subscriber that keeps up")
    package static let workerRestarts = Self(
        .counter, "glimpse_worker_restarts_total", ["pipeline", "reason"], "Starts of a worker after another one")
    package static let workerCPU = Self(
        .counter, "glimpse_worker_cpu_seconds_total", ["pipeline"], "Processor time of the pipeline's workers")
    package static let workerResident = Self(
        .gauge, "glimpse_worker_resident_bytes", ["pipeline"], "Resident memory of the worker; 0 without a worker")
    package static let subscribers = Self(.gauge, "glimpse_subscribers", [], "Connected subscribers")
    package static let subscriberGaps = Self(
        .counter, "glimpse_subscriber_gaps_total", [], "Lines of type gap that subscribers got for missing events")
    package static let subscriberWaiting = Self(
        .gauge, "glimpse_subscriber_waiting_bytes", [], "Bytes of events in memory that subscribers have not taken yet")
    package static let journalBytes = Self(
        .gauge, "glimpse_journal_bytes", [], "Size of the event journal: on disk, or in memory without one on disk")
    package static let journalOldest = Self(
        .gauge, "glimpse_journal_oldest_seconds", [],
        "Age of the journal's oldest event; absent without an event or without a clock")
    package static let relayUnacknowledged = Self(
        .gauge, "glimpse_relay_unacknowledged", ["destination"],
        "Events that the destination has not acknowledged", source: .relay)
    package static let relaySent = Self(
        .counter, "glimpse_relay_sent_total", ["destination"], "Events that the destination acknowledged",
        source: .relay)
    package static let relayConnected = Self(
        .gauge, "glimpse_relay_connected", ["destination"], "1 while the relay is connected to the destination, else 0",
        source: .relay)
    package static let processCPU = Self(
        .counter, "process_cpu_seconds_total", [], "Processor time of the daemon without its workers")
    package static let processResident = Self(
        .gauge, "process_resident_memory_bytes", [], "Resident memory of the daemon")
    package static let processVirtual = Self(
        .gauge, "process_virtual_memory_bytes", [], "Virtual memory of the daemon")
    package static let processFiles = Self(.gauge, "process_open_fds", [], "Open file descriptors of the daemon")
    package static let processMostFiles = Self(
        .gauge, "process_max_fds", [], "Highest number of open file descriptors of the daemon")
    package static let processStart = Self(
        .gauge, "process_start_time_seconds", [], "Start of the daemon in seconds since the Unix epoch")

    /// The table of metrics.
    package static let all = [
        buildInfo, pipelineState, framesReceived, framesDecoded, framesDropped, detections, detectionsRefused,
        tracksLive, tracksCompleted, zoneOccupancy, lineCrossings, stageSeconds, deliverySeconds, workerRestarts,
        workerCPU, workerResident, subscribers, subscriberGaps, subscriberWaiting, journalBytes, journalOldest,
        relayUnacknowledged, relaySent, relayConnected, processCPU, processResident, processVirtual, processFiles,
        processMostFiles, processStart,
    ]
}
