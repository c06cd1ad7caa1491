// SPDX-License-Identifier: Apache-2.0
import Observations

extension Explanation.Untracked {
    func put(to bytes: inout [UInt8]) {
        box.put(to: &bytes)
        bytes.put(confidence) { $0.put($1) }
        cause.put(to: &bytes)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            box: try Box(from: &reader), confidence: try reader.optionalFloat(), cause: try Cause(from: &reader))
    }
}

extension Explanation.Untracked.Cause {
    fileprivate func put(to bytes: inout [UInt8]) {
        switch self {
        case .invalid: bytes.append(0)
        case .belowLow(let limit):
            bytes.append(1)
            bytes.put(limit)
        case .belowBirth(let limit):
            bytes.append(2)
            bytes.put(limit)
        case .suppressed(let overlap):
            bytes.append(3)
            bytes.put(overlap)
        case .capacity(let limit):
            bytes.append(4)
            bytes.put(limit)
        case .tentative(let hits, let limit):
            bytes.append(5)
            bytes.put(hits)
            bytes.put(limit)
        case .outOfFocus: bytes.append(6)
        case .unconfirmed(let reads, let limit):
            bytes.append(7)
            bytes.put(reads)
            bytes.put(limit)
        case .cooldown(let limit):
            bytes.append(8)
            bytes.put(limit)
        case .sameValue: bytes.append(9)
        case .notAllowed: bytes.append(10)
        case .denied: bytes.append(11)
        case .undecoded: bytes.append(12)
        case .belowMinSize(let limit):
            bytes.append(13)
            bytes.put(limit)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.byte() {
        case 0: self = .invalid
        case 1: self = .belowLow(limit: try reader.float())
        case 2: self = .belowBirth(limit: try reader.float())
        case 3: self = .suppressed(overlap: try reader.float())
        case 4: self = .capacity(limit: try reader.integer())
        case 5: self = .tentative(hits: try reader.integer(), limit: try reader.integer())
        case 6: self = .outOfFocus
        case 7: self = .unconfirmed(reads: try reader.integer(), limit: try reader.integer())
        case 8: self = .cooldown(limit: try reader.quantity())
        case 9: self = .sameValue
        case 10: self = .notAllowed
        case 11: self = .denied
        case 12: self = .undecoded
        case 13: self = .belowMinSize(limit: try reader.float())
        default: throw ByteReader.Malformed()
        }
    }
}
