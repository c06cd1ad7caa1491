// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import JSONLines
import Observations

/// Encodes events as lines of event stream version 1, in a stable key order. Each thread needs its own encoder, because
/// an encoder reuses its buffer.
public struct EventEncoder: Sendable {
    /// The longest line in bytes, including its newline.
    public static let maximumLineBytes = 65_536
    /// The bytes added when a line is completed: braces, version, sequence number and run id, and for some subscribers
    /// `stages` and `coalesced`.
    package static let envelopeAllowance = 256
    /// The longest error or reason in bytes. Longer texts are cut, because they are for people.
    static let maximumTextBytes = 4096

    /// The buffer in which lines are written. It is safe without a lock: an encoder that shares the buffer with a copy
    /// allocates a new one before it writes.
    private final class Scratch: @unchecked Sendable {
        var json = JSONWriter(reservingCapacity: 2048)
    }

    /// The prefix of the pipeline's lines from `"type"` to `"tags"`, indexed by `EncodedEvent.Kind.rawValue`.
    private let beginnings: [[UInt8]]
    private var scratch = Scratch()
    private var barcodes: BarcodeEncoder
    /// That of the newest track line.
    private var origin = EventOrigin.none

    /// - Parameter barcodes: whether values of barcodes are typed, and which parts are redacted.
    public init(pipeline: PipelineIdentity, barcodes: BarcodeReporting = BarcodeReporting()) {
        beginnings = Self.beginnings(pipeline)
        self.barcodes = BarcodeEncoder(barcodes)
    }

    /// Writes the members after `{"v":1,` with `type` first, and the closing brace.
    ///
    /// - Parameter members: writes the members after the envelope.
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

    mutating func origin(detector: String, feature: FeatureKind) -> EventOrigin {
        if origin.detector != detector || origin.feature != feature {
            origin = EventOrigin(detector: detector, feature: feature)
        }
        return origin
    }

    /// The prefixes of a pipeline's lines from `"type"` to `"tags"`, indexed by `EncodedEvent.Kind.rawValue`.
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
