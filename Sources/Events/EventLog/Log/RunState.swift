// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// The state that a log needs to continue a run of another process.
package struct RunState: Sendable, Equatable {
    package struct LiveTrack: Sendable, Equatable {
        package var newest: EncodedEvent
        /// The newest event with a real position.
        package var sighting: EncodedEvent

        package init(newest: EncodedEvent, sighting: EncodedEvent) {
            self.newest = newest
            self.sighting = sighting
        }
    }

    package struct Pipeline: Sendable, Equatable {
        package var name: String
        /// The highest track id so far.
        package var highestTrack: UInt64
        /// The newest line with a frame.
        package var newestFrame: EncodedEvent?
        /// The tracks without a `completed` line.
        package var tracks: [LiveTrack]
        package var lines: LineTotals

        package init(
            name: String, highestTrack: UInt64, newestFrame: EncodedEvent?, tracks: [LiveTrack],
            lines: LineTotals = LineTotals()
        ) {
            self.lines = lines
            self.name = name
            self.highestTrack = highestTrack
            self.newestFrame = newestFrame
            self.tracks = tracks
        }
    }

    package var runID: String
    /// Greater than every sequence number ever used.
    package var nextSequence: UInt64
    /// The event counts before `nextSequence`.
    package var counts: EventCounts
    package var pipelines: [Pipeline]
    package var archive: Archive

    package init(
        runID: String, nextSequence: UInt64, counts: EventCounts, pipelines: [Pipeline], archive: Archive
    ) {
        self.runID = runID
        self.nextSequence = nextSequence
        self.counts = counts
        self.pipelines = pipelines
        self.archive = archive
    }
}
