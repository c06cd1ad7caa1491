// SPDX-License-Identifier: Apache-2.0
import Observations

extension Zone {
    func put(to bytes: inout [UInt8]) {
        bytes.put(name)
        bytes.put(all: polygon) { bytes, corner in
            bytes.put(corner.x)
            bytes.put(corner.y)
        }
        bytes.put(all: kinds.sorted { $0.rawValue < $1.rawValue }) { $0.put($1) }
        bytes.put(anchor)
        bytes.put(hysteresis)
        bytes.put(dwell)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            name: try reader.text(),
            polygon: try reader.all { reader throws(ByteReader.Malformed) in
                Point(x: try reader.float(), y: try reader.float())
            },
            kinds: Set(try reader.all { reader throws(ByteReader.Malformed) in try reader.name(FeatureKind.self) }),
            anchor: try reader.name(), hysteresis: try reader.float(), dwell: try reader.signed())
    }
}
