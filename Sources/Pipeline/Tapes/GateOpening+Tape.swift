// SPDX-License-Identifier: Apache-2.0
import Observations

extension GateOpening {
    func put(to bytes: inout [UInt8]) {
        bytes.put(unchanged)
        switch cause {
        case .change(let box, let excess, let limit):
            bytes.append(0)
            box.put(to: &bytes)
            bytes.put(excess)
            bytes.put(limit)
        case .refresh(let limit):
            bytes.append(1)
            bytes.put(limit)
        case .track: bytes.append(2)
        case .reset: bytes.append(3)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(unchanged: try reader.integer(), cause: try Cause(from: &reader))
    }
}

extension GateOpening.Cause {
    fileprivate init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.byte() {
        case 0: self = .change(box: try Box(from: &reader), excess: try reader.integer(), limit: try reader.integer())
        case 1: self = .refresh(limit: try reader.quantity())
        case 2: self = .track
        case 3: self = .reset
        default: throw ByteReader.Malformed()
        }
    }
}
