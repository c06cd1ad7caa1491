import BarcodeValues
import JSONLines
import Observations

/// Writes events as the lines of event stream version 1, in one stable key order. One encoder per thread: it reuses its buffer.
public struct EventEncoder: Sendable {
    /// No line is longer, its newline included.
    public static let maximumLineBytes = 65_536
    /// What a line gains when it is completed: braces, version, sequence number, run id; for some of its readers stages and `coalesced`.
    package static let envelopeAllowance = 256
    /// Errors and reasons are for people; beyond this they are cut.
    static let maximumTextBytes = 4096

    /// The buffer that lines are written into. Sound without a lock: an encoder that shares it with a copy takes a new one before it writes.
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

    /// The members after `{"v":1,`, `type` first, with the closing brace.
    ///
    /// - Parameter members: writes what comes after the envelope.
    @inline(__always)
    mutating func write(
        _ kind: EncodedEvent.Kind, _ time: Timestamp, _ clock: ClockSource,
        _ members: (inout JSONWriter, inout BarcodeEncoder) -> Void
    ) -> [UInt8] {
        if !isKnownUniquelyReferenced(&scratch) { scratch = Scratch() }
        return scratch.json.rest(ofObject: beginnings[Int(kind.rawValue)]) { json in
            json.member(.time, time)
            json.member(.clock, clock.rawValue)
            members(&json, &barcodes)
        }
    }

    /// What the lines of a pipeline begin with, from `"type"` to `"tags"`, by `EncodedEvent.Kind.rawValue`.
    package static func beginnings(_ pipeline: PipelineIdentity) -> [[UInt8]] {
        var beginnings: [[UInt8]] = []
        for kind in EncodedEvent.Kind.allCases {
            var json = JSONWriter(reservingCapacity: 256)
            json.object { json in
                json.member(.type, kind.name)
                json.member(.pipeline, pipeline.name)
                guard !pipeline.tags.isEmpty else { return }
                json.object(.tags) { json in
                    for tag in pipeline.tags { json.member(dynamicKey: tag.key, tag.value) }
                }
            }
            while beginnings.count <= Int(kind.rawValue) { beginnings.append([]) }
            beginnings[Int(kind.rawValue)] = Array(json.bytes.dropFirst().dropLast())
        }
        return beginnings
    }
}
