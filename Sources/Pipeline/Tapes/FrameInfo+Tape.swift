// SPDX-License-Identifier: Apache-2.0
import Observations

extension FrameInfo {
    func put(to bytes: inout [UInt8]) {
        bytes.put(epoch)
        bytes.put(sequence)
        bytes.put(presentationTime)
        bytes.put(time.nanoseconds)
        bytes.put(clock)
        bytes.put(width)
        bytes.put(height)
        bytes.put(rotation)
        bytes.put(mirrored)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            epoch: try reader.unsigned(), sequence: try reader.unsigned(), presentationTime: try reader.signed(),
            time: Timestamp(nanoseconds: try reader.signed()), clock: try reader.name(), width: try reader.integer(),
            height: try reader.integer(), rotation: try reader.integer(), mirrored: try reader.bool())
    }
}
