// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import EventLines
import Observations

/// The messages from a worker to the supervisor.
package enum FromWorker: WorkerChannelMessage {
    case event(EncodedEvent)
    /// A sign of life with the current metrics.
    case heartbeat(PipelineMetrics)
    /// The time at which the following events were encoded, in nanoseconds of the machine's monotonic clock. It holds
    /// up to the next such message.
    case made(UInt64)
    /// The reply to each `ToWorker.request`, with its number. No error means that the request is complete.
    case answer(UInt64, error: String?)

    private enum Tag: UInt8 {
        case event = 1
        case heartbeat
        case answer
        /// An event with its stages.
        case timedEvent
        case made
    }

    package var tag: UInt8 { name.rawValue }

    private var name: Tag {
        switch self {
        case .event(let event): event.stages == nil ? .event : .timedEvent
        case .heartbeat: .heartbeat
        case .answer: .answer
        case .made: .made
        }
    }

    package func appendPayload(to bytes: inout [UInt8]) {
        switch self {
        case .event(let event):
            event.stages?.appendPayload(to: &bytes)
            bytes.append(event.kind.rawValue)
            bytes.append(integer: event.track)
            bytes.append(string: event.detector)
            bytes.append(string: event.feature?.rawValue ?? "")
            bytes.append(contentsOf: event.body)
        case .heartbeat(let metrics): metrics.appendPayload(to: &bytes)
        case .made(let time): bytes.append(integer: time)
        case .answer(let number, let error):
            bytes.append(integer: number)
            if let error { bytes.append(string: error) }
        }
    }

    package init?(tag: UInt8, payload: ArraySlice<UInt8>) {
        var origins = OriginReader()
        self.init(tag: tag, payload: payload, &origins)
    }

    /// - Parameter origins: the reader of all events of this channel.
    init?(tag: UInt8, payload: ArraySlice<UInt8>, _ origins: inout OriginReader) {
        var reader = PayloadReader(payload)
        let name = Tag(rawValue: tag)
        switch name {
        case .event, .timedEvent:
            var stages: StageTimes?
            if name == .timedEvent {
                stages = StageTimes(&reader)
                guard stages != nil else { return nil }
            }
            guard let kind = reader.byte().flatMap(EncodedEvent.Kind.init), let track = reader.integer(),
                let origin = origins.read(from: &reader)
            else { return nil }
            let header = EventHeader(kind: kind, origin: origin, track: track, stages: stages)
            self = .event(EncodedEvent(header: header, body: reader.restBytes))
        case .heartbeat:
            guard let metrics = PipelineMetrics(&reader) else { return nil }
            self = .heartbeat(metrics)
        case .made:
            guard let time = reader.integer(), reader.isAtEnd else { return nil }
            self = .made(time)
        case .answer:
            guard let number = reader.integer() else { return nil }
            var error: String?
            if !reader.isAtEnd {
                guard let text = reader.string() else { return nil }
                error = text
            }
            guard reader.isAtEnd else { return nil }
            self = .answer(number, error: error)
        case nil: return nil
        }
    }
}

extension StageTimes {
    fileprivate func appendPayload(to bytes: inout [UInt8]) {
        bytes.append((decode == nil ? 0 : 1) | (isReused ? 2 : 0))
        for time in [decode ?? 0, wait, detect, track, emit] { bytes.append(integer: UInt64(time), bytes: 4) }
    }

    fileprivate init?(_ reader: inout PayloadReader) {
        guard let flags = reader.byte(), flags <= 3, let decode = reader.integer(bytes: 4),
            let wait = reader.integer(bytes: 4), let detect = reader.integer(bytes: 4),
            let track = reader.integer(bytes: 4), let emit = reader.integer(bytes: 4),
            flags & 1 == 1 || decode == 0
        else { return nil }
        self.init(
            decode: flags & 1 == 1 ? UInt32(decode) : nil, wait: UInt32(wait), detect: UInt32(detect),
            track: UInt32(track), emit: UInt32(emit), isReused: flags & 2 == 2)
    }
}
