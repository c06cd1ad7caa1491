import BinaryFormat
import EventLines
import Observations
import Search

extension WorkerMessage {
    var tag: Tag {
        switch self {
        case .event(let event): event.stages == nil ? .event : .timedEvent
        case .heartbeat: .heartbeat
        case .configuration: .configuration
        case .stop: .stop
        case .focus: .focus
        case .takeOver: .takeOver
        case .snapshot: .snapshot
        case .search: .search
        case .frames: .frames
        case .snapshotDone: .snapshotDone
        }
    }

    func appendPayload(to bytes: inout [UInt8]) {
        switch self {
        case .event(let event):
            event.stages?.appendPayload(to: &bytes)
            bytes.append(event.kind.rawValue)
            bytes.append(integer: event.track)
            bytes.append(string: event.detector)
            bytes.append(string: event.feature?.rawValue ?? "")
            bytes.append(contentsOf: event.body)
        case .heartbeat(let heartbeat):
            bytes.append(integer: heartbeat.received)
            bytes.append(integer: heartbeat.sourceMilliseconds)
            bytes.append(heartbeat.pictures == nil ? 0 : 1)
            if let pictures = heartbeat.pictures {
                for count in [
                    pictures.waiting, pictures.written, pictures.refused, pictures.failed, pictures.deleted,
                ] { bytes.append(integer: count) }
            }
            for lane in heartbeat.lanes {
                bytes.append(string: lane.detector)
                for count in [
                    lane.processed, lane.dropped, lane.skipped, lane.failed, lane.refused, lane.evicted,
                    lane.smallFaces, lane.smallFacesMinSize,
                    lane.busyMilliseconds,
                ] { bytes.append(integer: count) }
                for latency in [lane.wait, lane.total] {
                    bytes.append(integer: latency.median)
                    bytes.append(integer: latency.percentile95)
                    bytes.append(integer: latency.longest)
                }
            }
        case .configuration(let configuration):
            bytes.append(integer: configuration.epoch)
            bytes.append(integer: configuration.firstTrack)
            bytes.append(string: configuration.file)
            bytes.append(string: configuration.modelsDirectory)
            bytes.append(string: configuration.crashFile)
            bytes.append(configuration.isRestricted ? 1 : 0)
            bytes.append(string: configuration.picturesFolder)
            bytes.append(configuration.allowsPictures ? 1 : 0)
            bytes.append(string: configuration.text)
            for folder in configuration.writable { bytes.append(string: folder) }
        case .stop(let reason):
            bytes.append(contentsOf: reason.rawValue.utf8)
        case .focus(let focus):
            bytes.append(string: focus.detector)
            if let track = focus.track { bytes.append(integer: track) }
        case .takeOver(let text):
            bytes.append(contentsOf: text.utf8)
        case .snapshot(let snapshot):
            bytes.append(integer: snapshot.number)
            bytes.append(string: snapshot.path)
            bytes.append(snapshot.isCaptioned ? 1 : 0)
        case .search(let command): command.appendPayload(to: &bytes)
        case .frames(let areWanted): bytes.append(areWanted ? 1 : 0)
        case .snapshotDone(let result):
            bytes.append(integer: result.number)
            if let error = result.error { bytes.append(string: error) }
        }
    }

    /// - Returns: nil when the payload is not one that `appendPayload` writes, or the tag is unknown.
    init?(tag: UInt8, payload: ArraySlice<UInt8>) {
        var reader = PayloadReader(payload)
        switch Tag(rawValue: tag) {
        case .event:
            guard let event = reader.event() else { return nil }
            self = .event(event)
        case .timedEvent:
            guard let stages = StageTimes(&reader), var event = reader.event() else { return nil }
            event.stages = stages
            self = .event(event)
        case .heartbeat:
            guard let received = reader.integer(), let source = reader.integer(), let hasPictures = reader.byte(),
                hasPictures <= 1
            else { return nil }
            var heartbeat = WorkerHeartbeat(received: received, sourceMilliseconds: source)
            if hasPictures == 1 {
                guard let pictures = reader.pictures() else { return nil }
                heartbeat.pictures = pictures
            }
            while !reader.isAtEnd {
                guard let lane = reader.lane() else { return nil }
                heartbeat.lanes.append(lane)
            }
            self = .heartbeat(heartbeat)
        case .configuration:
            guard let epoch = reader.integer(), let firstTrack = reader.integer(), let file = reader.string(),
                let modelsDirectory = reader.string(), let crashFile = reader.string(),
                let isRestricted = reader.byte(), isRestricted <= 1, let picturesFolder = reader.string(),
                let allowsPictures = reader.byte(), allowsPictures <= 1, let text = reader.string()
            else { return nil }
            var writable: [String] = []
            while !reader.isAtEnd {
                guard let folder = reader.string() else { return nil }
                writable.append(folder)
            }
            self = .configuration(
                WorkerConfiguration(
                    epoch: epoch, firstTrack: firstTrack, file: file, text: text, modelsDirectory: modelsDirectory,
                    crashFile: crashFile, isRestricted: isRestricted == 1,
                    picturesFolder: picturesFolder, allowsPictures: allowsPictures == 1, writable: writable))
        case .stop:
            guard let text = String(validating: payload, as: UTF8.self), let reason = CompletionReason(rawValue: text)
            else { return nil }
            self = .stop(reason)
        case .focus:
            guard let detector = reader.string() else { return nil }
            let track = reader.integer()
            guard reader.isAtEnd else { return nil }
            self = .focus(WorkerFocus(detector: detector, track: track))
        case .takeOver:
            guard let text = String(validating: payload, as: UTF8.self) else { return nil }
            self = .takeOver(text)
        case .snapshot:
            guard let number = reader.integer(), let path = reader.string(), let isCaptioned = reader.byte(),
                isCaptioned <= 1, reader.isAtEnd
            else { return nil }
            self = .snapshot(WorkerSnapshot(number: number, path: path, isCaptioned: isCaptioned == 1))
        case .search:
            guard let command = SearchCommand(&reader) else { return nil }
            self = .search(command)
        case .frames:
            guard let areWanted = reader.byte(), areWanted <= 1, reader.isAtEnd else { return nil }
            self = .frames(areWanted == 1)
        case .snapshotDone:
            guard let number = reader.integer() else { return nil }
            var error: String?
            if !reader.isAtEnd {
                guard let text = reader.string() else { return nil }
                error = text
            }
            guard reader.isAtEnd else { return nil }
            self = .snapshotDone(WorkerSnapshotResult(number: number, error: error))
        case nil:
            return nil
        }
    }
}

extension StageTimes {
    fileprivate func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(decode == nil ? 0 : 1)
        for time in [decode ?? 0, wait, detect, track, emit] { bytes.append(integer: UInt64(time), bytes: 4) }
    }

    fileprivate init?(_ reader: inout PayloadReader) {
        guard let isDecoded = reader.byte(), isDecoded <= 1, let decode = reader.integer(bytes: 4),
            let wait = reader.integer(bytes: 4), let detect = reader.integer(bytes: 4),
            let track = reader.integer(bytes: 4), let emit = reader.integer(bytes: 4), isDecoded == 1 || decode == 0
        else { return nil }
        self.init(
            decode: isDecoded == 1 ? UInt32(decode) : nil, wait: UInt32(wait), detect: UInt32(detect),
            track: UInt32(track), emit: UInt32(emit))
    }
}

extension PayloadReader {
    fileprivate mutating func event() -> EncodedEvent? {
        guard let kind = byte().flatMap(EncodedEvent.Kind.init), let track = integer(), let detector = string(),
            let feature = string()
        else { return nil }
        return EncodedEvent(
            kind: kind, detector: detector, feature: FeatureKind(rawValue: feature), track: track, body: Array(rest))
    }

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
