// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

extension SnapshotEvent {
    /// Writes the event without the detector, which the record contains.
    func put(to bytes: inout [UInt8]) {
        bytes.put(kind)
        bytes.put(track.number)
        bytes.put(rule)
        frame.put(to: &bytes)
        bytes.put(file)
        bytes.put(width)
        bytes.put(height)
        bytes.put(self.bytes)
        bytes.put(score) { $0.put($1) }
        bytes.put(confidence) { $0.put($1) }
    }

    init(from reader: inout ByteReader, detector: String) throws(ByteReader.Malformed) {
        self.init(
            detector: detector, kind: try reader.name(), track: TrackID(try reader.unsigned()), rule: try reader.name(),
            frame: try FrameInfo(from: &reader), file: try reader.text(), width: try reader.integer(),
            height: try reader.integer(), bytes: try reader.integer(),
            score: try reader.optional { reader throws(ByteReader.Malformed) in try reader.float() },
            confidence: try reader.optional { reader throws(ByteReader.Malformed) in try reader.float() })
    }
}
