import BarcodeValues
import Observations

/// Writes events as the lines of event stream version 1, in one stable key order. One encoder per thread: it reuses its buffer.
public struct EventEncoder: Sendable {
    /// No line is longer, its newline included.
    public static let maximumLineBytes = 65_536
    /// What a line gains when it is completed: braces, version, sequence number, run id; for some of its readers stages and `coalesced`.
    static let envelopeAllowance = 256
    /// Errors and reasons are for people; beyond this they are cut.
    private static let maximumTextBytes = 4096

    /// What it writes into. Sound though nothing guards it: an encoder that shares it with its copy takes another before it writes.
    private final class Scratch: @unchecked Sendable {
        var json = JSONWriter(reservingCapacity: 2048)
    }

    /// What a pipeline's lines of each kind begin with, from `"type"` to `"tags"`, by the kind's number.
    private let beginnings: [[UInt8]]
    private var scratch = Scratch()
    private var barcodes: BarcodeEncoder

    /// - Parameter barcodes: whether barcodes' values are typed, and what of them is taken out.
    public init(pipeline: PipelineIdentity, barcodes: BarcodeReporting = BarcodeReporting()) {
        beginnings = Self.beginnings(pipeline)
        self.barcodes = BarcodeEncoder(barcodes)
    }

    public mutating func encode(_ event: Event) -> EncodedEvent {
        switch event {
        case .track(let event): encode(event)
        case .source(let event): encode(event)
        case .detector(let event): encode(event)
        case .explain(let event): encode(event)
        case .zone(let event): encode(event)
        case .snapshot(let event): encode(event)
        case .frameSnapshot(let event): encode(event)
        case .search(let event): encode(event)
        case .frame(let event): encode(event)
        }
    }

    private mutating func encode(_ event: TrackEvent) -> EncodedEvent {
        let kind: EncodedEvent.Kind =
            switch event.phase {
            case .detected: .detected
            case .update: .update
            case .missing: .missing
            case .completed: .completed
            }
        func isTooLong(_ bytes: [UInt8]) -> Bool { bytes.count + Self.envelopeAllowance > Self.maximumLineBytes }
        var bytes = body(kind, event, .full)
        // A large payload that stands twice in `completed` is said by `last` alone; one that is too large at all is cut.
        if isTooLong(bytes) { bytes = body(kind, event, .once) }
        if isTooLong(bytes) { bytes = body(kind, event, .cut) }
        return EncodedEvent(
            kind: kind, detector: event.detector, feature: event.track.kind, track: event.track.id.number, body: bytes,
            stages: event.stages)
    }

    private mutating func body(_ kind: EncodedEvent.Kind, _ event: TrackEvent, _ item: TrackEvent.ItemDetail) -> [UInt8]
    {
        write(kind) { json, barcodes in
            json.member("time", event.frame.time)
            json.member("clock", event.frame.clock.rawValue)
            event.encode(to: &json, barcodes: &barcodes, item: item)
        }
    }

    private mutating func encode(_ event: SourceEvent) -> EncodedEvent {
        let body = write(.source) { json, _ in
            json.member("time", event.time)
            json.member("clock", event.clock.rawValue)
            json.member("state", event.state.rawValue)
            if let attempt = event.attempt { json.member("attempt", attempt) }
            if let delay = event.retryMilliseconds { json.member("retry_ms", delay) }
            if let reason = event.reason { json.member("reason", reason) }
            if let error = event.error { json.member("error", error.cut(toUTF8: Self.maximumTextBytes)) }
        }
        return EncodedEvent(kind: .source, body: body)
    }

    private mutating func encode(_ event: DetectorEvent) -> EncodedEvent {
        let body = write(.detector) { json, _ in
            json.member("time", event.time)
            json.member("clock", event.clock.rawValue)
            json.member("detector", event.detector)
            json.member("kind", event.kind.rawValue)
            json.member("operational", event.operational)
            if let model = event.model { json.member("model", model) }
            if let reason = event.reason { json.member("reason", reason.cut(toUTF8: Self.maximumTextBytes)) }
        }
        return EncodedEvent(kind: .detector, detector: event.detector, feature: event.kind, body: body)
    }

    private mutating func encode(_ event: ExplainEvent) -> EncodedEvent {
        let body = write(.explain) { json, _ in
            json.member("time", event.frame.time)
            json.member("clock", event.frame.clock.rawValue)
            event.encode(to: &json)
        }
        return EncodedEvent(kind: .explain, detector: event.detector, body: body)
    }

    private mutating func encode(_ event: ZoneEvent) -> EncodedEvent {
        let track = event.track
        let body = write(.zone) { json, _ in
            json.member("time", track.frame.time)
            json.member("clock", track.frame.clock.rawValue)
            event.encode(to: &json)
        }
        return EncodedEvent(
            kind: .zone, detector: track.detector, feature: track.track.kind, track: track.track.id.number, body: body)
    }

    private mutating func encode(_ event: SnapshotEvent) -> EncodedEvent {
        let body = write(.snapshot) { json, _ in
            json.member("time", event.frame.time)
            json.member("clock", event.frame.clock.rawValue)
            event.encode(to: &json)
        }
        return EncodedEvent(
            kind: .snapshot, detector: event.detector, feature: event.kind, track: event.track.number, body: body)
    }

    private mutating func encode(_ event: FrameSnapshotEvent) -> EncodedEvent {
        let body = write(.snapshot) { json, _ in
            json.member("time", event.frame.time)
            json.member("clock", event.frame.clock.rawValue)
            event.encode(to: &json)
        }
        return EncodedEvent(kind: .snapshot, body: body)
    }

    private mutating func encode(_ event: FrameEvent) -> EncodedEvent {
        let body = write(.frame) { json, _ in
            json.member("time", event.frame.time)
            json.member("clock", event.frame.clock.rawValue)
            event.encode(to: &json)
        }
        return EncodedEvent(kind: .frame, detector: event.detector, feature: event.kind, body: body)
    }

    private mutating func encode(_ event: SearchEvent) -> EncodedEvent {
        let body = write(.search) { json, barcodes in
            json.member("time", event.status.frame.time)
            json.member("clock", event.status.frame.clock.rawValue)
            event.encode(to: &json, barcodes: &barcodes)
        }
        return EncodedEvent(kind: .search, detector: event.detector, feature: event.kind, body: body)
    }

    /// The members after `{"v":1,`, `type` first, with the closing brace.
    @inline(__always)
    private mutating func write(
        _ kind: EncodedEvent.Kind, _ members: (inout JSONWriter, inout BarcodeEncoder) -> Void
    ) -> [UInt8] {
        if !isKnownUniquelyReferenced(&scratch) { scratch = Scratch() }
        return scratch.json.rest(ofObject: beginnings[Int(kind.rawValue)]) { members(&$0, &barcodes) }
    }

    private static func beginnings(_ pipeline: PipelineIdentity) -> [[UInt8]] {
        var beginnings: [[UInt8]] = []
        for kind in EncodedEvent.Kind.allCases {
            var json = JSONWriter(reservingCapacity: 256)
            json.object { json in
                json.member("type", kind.name)
                json.member("pipeline", pipeline.name)
                guard !pipeline.tags.isEmpty else { return }
                json.object("tags") { json in
                    for tag in pipeline.tags { json.member(dynamicKey: tag.key, tag.value) }
                }
            }
            while beginnings.count <= Int(kind.rawValue) { beginnings.append([]) }
            beginnings[Int(kind.rawValue)] = Array(json.bytes.dropFirst().dropLast())
        }
        return beginnings
    }
}
