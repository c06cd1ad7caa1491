// SPDX-License-Identifier: Apache-2.0
import Tracking

// All stored properties are written here: a test counts them.

extension TrackerConfiguration {
    func put(to bytes: inout [UInt8]) {
        bytes.put(associates)
        bytes.put(hits)
        gap.put(to: &bytes)
        for score in [low, high, birth, certainScore] { bytes.put(score) }
        bytes.put(longestStep)
        bytes.put(capacity)
        for overlap in [tightOverlap, wideOverlap] { bytes.put(overlap) }
        for size in [uncertaintyGain, bufferLimit, bufferRate] { bytes.put(size) }
        bytes.put(heightModulation)
        bytes.put(cameraShift)
        bytes.put(missingVelocityDecay) { $0.put($1) }
        payloads.put(to: &bytes)
        bytes.put(faces.isSmoothed)
        bytes.put(faces.hold)
        bytes.put(all: confusables.groups) { $0.put(all: $1) { $0.put($1) } }
        bytes.put(reentry)
        bytes.put(smoothedBox)
        bytes.put(reportLimit) { $0.put($1) }
        bytes.put(marksProminent)
        bytes.put(completeHits)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init()
        associates = try reader.bool()
        hits = try reader.integer()
        gap = try GapRule(from: &reader)
        (low, high) = (try reader.float(), try reader.float())
        (birth, certainScore) = (try reader.float(), try reader.float())
        longestStep = try reader.quantity()
        capacity = try reader.integer()
        (tightOverlap, wideOverlap) = (try reader.float(), try reader.float())
        (uncertaintyGain, bufferLimit) = (try reader.quantity(), try reader.quantity())
        bufferRate = try reader.quantity()
        (heightModulation, cameraShift) = (try reader.bool(), try reader.bool())
        missingVelocityDecay = try reader.optional { reader throws(ByteReader.Malformed) in try reader.quantity() }
        payloads = try PayloadRules(from: &reader)
        faces.isSmoothed = try reader.bool()
        faces.hold = try reader.quantity()
        confusables = Confusables(
            try reader.all { reader throws(ByteReader.Malformed) in
                try reader.all { reader throws(ByteReader.Malformed) in try reader.text() }
            })
        reentry = try reader.quantity()
        smoothedBox = try reader.bool()
        reportLimit = try reader.optional { reader throws(ByteReader.Malformed) in try reader.integer() }
        marksProminent = try reader.bool()
        completeHits = try reader.integer()
    }
}

extension TrackerConfiguration.GapRule {
    fileprivate func put(to bytes: inout [UInt8]) {
        switch self {
        case .time(let limit):
            bytes.append(0)
            bytes.put(limit)
        case .frames(let limit):
            bytes.append(1)
            bytes.put(limit)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.byte() {
        case 0: self = .time(limit: try reader.quantity())
        case 1: self = .frames(limit: try reader.integer())
        default: throw ByteReader.Malformed()
        }
    }
}

extension PayloadRules {
    fileprivate func put(to bytes: inout [UInt8]) {
        switch identity {
        case .valueAndPosition: bytes.append(0)
        case .value: bytes.append(1)
        }
        switch confirmation {
        case .auto: bytes.append(0)
        case .reads(let count):
            bytes.append(1)
            bytes.put(count)
        }
        bytes.put(cooldown)
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init()
        switch try reader.byte() {
        case 0: identity = .valueAndPosition
        case 1: identity = .value
        default: throw ByteReader.Malformed()
        }
        switch try reader.byte() {
        case 0: confirmation = .auto
        case 1: confirmation = .reads(try reader.integer())
        default: throw ByteReader.Malformed()
        }
        cooldown = try reader.quantity()
    }
}
