// SPDX-License-Identifier: Apache-2.0
import Observations

extension CrossingLine {
    func put(to bytes: inout [UInt8]) {
        bytes.put(name)
        from.put(to: &bytes)
        to.put(to: &bytes)
        bytes.put(anchor)
        bytes.put(hysteresis)
        bytes.put(all: kinds.sorted { $0.rawValue < $1.rawValue }) { $0.put($1) }
        bytes.put(all: labels.sorted()) { $0.put($1) }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            name: try reader.text(), from: try Point(from: &reader), to: try Point(from: &reader),
            anchor: try reader.name(), hysteresis: try reader.float(),
            kinds: Set(try reader.all { reader throws(ByteReader.Malformed) in try reader.name(FeatureKind.self) }),
            labels: Set(try reader.all { reader throws(ByteReader.Malformed) in try reader.text() }))
    }
}
