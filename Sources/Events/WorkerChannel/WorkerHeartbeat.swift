import BinaryFormat

/// What a worker has done since it started: totals, so that a lost heartbeat loses nothing.
package struct WorkerHeartbeat: Sendable, Equatable {
    package struct Lane: Sendable, Equatable {
        package var detector: String
        /// Frames that the detector looked at; `failed` among them.
        package var processed: UInt64
        /// Frames that a newer one replaced before the detector was free.
        package var dropped: UInt64
        /// Frames that `max_rate` left out.
        package var skipped: UInt64
        /// Frames that the detector failed on.
        package var failed: UInt64
        /// Detections that a limit of the tracker kept out.
        package var refused: UInt64
        /// Tracks that ended because a new one needed their place.
        package var evicted: UInt64
        /// Faces that `min_size` kept out of a picture without others; 0: none were seen.
        package var smallFaces: UInt64
        /// The `min_size` that shows them, in thousandths; 0 with none.
        package var smallFacesMinSize: UInt64
        /// For how long the detector has been at the frame that it has now, in milliseconds; 0 when it has none.
        package var busyMilliseconds: UInt64
        /// How long the newest frames waited for the detector.
        package var wait: Latency
        /// How long they took from the hand-over to the end of the lane's work, the wait included.
        package var total: Latency

        package init(
            detector: String, processed: UInt64, dropped: UInt64, skipped: UInt64 = 0, failed: UInt64 = 0,
            refused: UInt64 = 0, evicted: UInt64 = 0, smallFaces: UInt64 = 0, smallFacesMinSize: UInt64 = 0,
            busyMilliseconds: UInt64 = 0, wait: Latency = Latency(), total: Latency = Latency()
        ) {
            self.detector = detector
            self.processed = processed
            self.dropped = dropped
            self.skipped = skipped
            self.failed = failed
            self.refused = refused
            self.evicted = evicted
            self.smallFaces = smallFaces
            self.smallFacesMinSize = smallFacesMinSize
            self.busyMilliseconds = busyMilliseconds
            self.wait = wait
            self.total = total
        }
    }

    /// What became of pictures: those of tracks and of searches.
    package struct Pictures: Sendable, Equatable {
        /// Asked for, and not yet encoded.
        package var waiting: UInt64
        package var written: UInt64
        /// Found no room in the queue.
        package var refused: UInt64
        /// No encoder, no disk.
        package var failed: UInt64
        /// That `max_age`, `max_count`, `max_bytes` or nobody's acceptance took away.
        package var deleted: UInt64

        package init(
            waiting: UInt64 = 0, written: UInt64 = 0, refused: UInt64 = 0, failed: UInt64 = 0, deleted: UInt64 = 0
        ) {
            self.waiting = waiting
            self.written = written
            self.refused = refused
            self.failed = failed
            self.deleted = deleted
        }
    }

    /// Microseconds; of the newest frames.
    package struct Latency: Sendable, Equatable {
        package var median: UInt64
        package var percentile95: UInt64
        package var longest: UInt64

        package init(median: UInt64 = 0, percentile95: UInt64 = 0, longest: UInt64 = 0) {
            self.median = median
            self.percentile95 = percentile95
            self.longest = longest
        }
    }

    /// Frames that the source gave.
    package var received: UInt64
    /// For how long the source has not come back, in milliseconds.
    package var sourceMilliseconds: UInt64
    package var lanes: [Lane]
    /// nil: the pipeline keeps none.
    package var pictures: Pictures?

    package init(
        received: UInt64, sourceMilliseconds: UInt64 = 0, lanes: [Lane] = [], pictures: Pictures? = nil
    ) {
        self.received = received
        self.sourceMilliseconds = sourceMilliseconds
        self.lanes = lanes
        self.pictures = pictures
    }
}

extension WorkerHeartbeat {
    func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(integer: received)
        bytes.append(integer: sourceMilliseconds)
        bytes.append(pictures == nil ? 0 : 1)
        if let pictures {
            for count in [
                pictures.waiting, pictures.written, pictures.refused, pictures.failed, pictures.deleted,
            ] { bytes.append(integer: count) }
        }
        for lane in lanes {
            bytes.append(string: lane.detector)
            for count in [
                lane.processed, lane.dropped, lane.skipped, lane.failed, lane.refused, lane.evicted,
                lane.smallFaces, lane.smallFacesMinSize, lane.busyMilliseconds,
            ] { bytes.append(integer: count) }
            for latency in [lane.wait, lane.total] {
                bytes.append(integer: latency.median)
                bytes.append(integer: latency.percentile95)
                bytes.append(integer: latency.longest)
            }
        }
    }

    init?(_ reader: inout PayloadReader) {
        guard let received = reader.integer(), let source = reader.integer(), let hasPictures = reader.byte(),
            hasPictures <= 1
        else { return nil }
        self.init(received: received, sourceMilliseconds: source)
        if hasPictures == 1 {
            guard let pictures = reader.pictures() else { return nil }
            self.pictures = pictures
        }
        while !reader.isAtEnd {
            guard let lane = reader.lane() else { return nil }
            lanes.append(lane)
        }
    }
}

extension PayloadReader {
    fileprivate mutating func latency() -> WorkerHeartbeat.Latency? {
        guard let median = integer(), let percentile95 = integer(), let longest = integer() else { return nil }
        return .init(median: median, percentile95: percentile95, longest: longest)
    }

    fileprivate mutating func pictures() -> WorkerHeartbeat.Pictures? {
        guard let waiting = integer(), let written = integer(), let refused = integer(), let failed = integer(),
            let deleted = integer()
        else { return nil }
        return .init(waiting: waiting, written: written, refused: refused, failed: failed, deleted: deleted)
    }

    fileprivate mutating func lane() -> WorkerHeartbeat.Lane? {
        guard let detector = string(), let processed = integer(), let dropped = integer(), let skipped = integer(),
            let failed = integer(), let refused = integer(), let evicted = integer(), let smallFaces = integer(),
            let smallFacesMinSize = integer(), let busy = integer(), let wait = latency(), let total = latency()
        else { return nil }
        return .init(
            detector: detector, processed: processed, dropped: dropped, skipped: skipped, failed: failed,
            refused: refused, evicted: evicted, smallFaces: smallFaces, smallFacesMinSize: smallFacesMinSize,
            busyMilliseconds: busy, wait: wait, total: total)
    }
}
