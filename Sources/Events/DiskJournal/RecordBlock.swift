// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import EventLines
import EventLog
import Observations

/// Encodes neighbouring events as one value of the database. Measured: a twentieth of the cost of a row per event.
///
/// ```
///     version   1 byte, 2
///     first     the first record's sequence number, 64 bits
///     names     the number of names, 16 bits; each name as 32 bits of length and UTF-8
///     records   to the end, each: sequence number minus the first one 32 bits, kind 8, feature 16 (0xFFFF: none),
///               pipeline 16 (0xFFFF: none) and detector 16 as indices of names, track 64, length of the body 32, body
///     CRC-32    of all bytes before it, 32 bits
/// ```
///
/// Integers are little-endian. SQLite does not check content, so each block has its own check. Version 1 had a feature
/// of 8 bits: 0 for none, or the number of one of the four kinds of that time.
enum RecordBlock {
    private static let version: UInt8 = 2
    /// The kinds of version 1, which features number from 1.
    private static let kindsOfVersion1: [FeatureKind] = [.face, .barcode, .object, .scene]
    private static let nobody = UInt64(UInt16.max)

    /// - Precondition: sequence numbers ascend within 32 bits, and fewer than 65,535 names occur.
    static func encode(_ records: some Collection<ArchivedRecord>) -> [UInt8] {
        var names: [String: Int] = [:]
        var ordered: [String] = []
        func place(_ name: String) -> UInt64 {
            if let known = names[name] { return UInt64(known) }
            names[name] = ordered.count
            ordered.append(name)
            return UInt64(ordered.count - 1)
        }
        var body: [UInt8] = []
        let first = records.first?.sequence ?? 0
        for record in records {
            let event = record.event
            body.append(integer: record.sequence - first, bytes: 4)
            body.append(event.kind.rawValue)
            body.append(integer: event.feature.map { place($0.rawValue) } ?? nobody, bytes: 2)
            body.append(integer: record.pipeline.map(place) ?? nobody, bytes: 2)
            body.append(integer: place(event.detector), bytes: 2)
            body.append(integer: event.track)
            body.append(integer: UInt64(event.body.count), bytes: 4)
            body += event.body
        }
        var bytes: [UInt8] = [version]
        bytes.append(integer: first)
        bytes.append(integer: UInt64(ordered.count), bytes: 2)
        for name in ordered { bytes.append(string: name) }
        bytes += body
        var check = CRC32()
        check.update(bytes[...])
        bytes.append(integer: UInt64(check.value), bytes: 4)
        return bytes
    }

    /// - Returns: nil for bytes that do not form an intact block.
    static func decode(_ bytes: ArraySlice<UInt8>) -> [ArchivedRecord]? {
        guard bytes.count >= 15 else { return nil }
        var check = CRC32()
        check.update(bytes.dropLast(4))
        var tail = PayloadReader(bytes.suffix(4))
        guard tail.integer(bytes: 4) == UInt64(check.value) else { return nil }
        var reader = PayloadReader(bytes.dropLast(4))
        guard let version = reader.byte(), (1...Self.version).contains(version), let first = reader.integer(),
            let count = reader.integer(bytes: 2)
        else {
            return nil
        }
        var names: [String] = []
        for _ in 0..<count {
            guard let name = reader.string() else { return nil }
            names.append(name)
        }
        var records: [ArchivedRecord] = []
        while !reader.isAtEnd {
            guard let record = record(&reader, version, first: first, names) else { return nil }
            if let last = records.last, record.sequence <= last.sequence { return nil }
            records.append(record)
        }
        return records
    }

    private static func record(
        _ reader: inout PayloadReader, _ version: UInt8, first: UInt64, _ names: [String]
    ) -> ArchivedRecord? {
        guard let offset = reader.integer(bytes: 4), let kind = reader.byte().flatMap(EncodedEvent.Kind.init),
            let feature = feature(&reader, version, names), let pipeline = reader.integer(bytes: 2),
            pipeline == nobody || pipeline < names.count,
            let detector = reader.integer(bytes: 2), detector < names.count, let track = reader.integer(),
            let length = reader.integer(bytes: 4), let body = reader.bytes(Int(length))
        else { return nil }
        let (sequence, overflow) = first.addingReportingOverflow(offset)
        guard !overflow else { return nil }
        return ArchivedRecord(
            sequence: sequence, pipeline: pipeline == nobody ? nil : names[Int(pipeline)],
            event: EncodedEvent(
                kind: kind, detector: names[Int(detector)],
                feature: feature, track: track, body: Array(body)))
    }

    /// - Returns: nil for bytes of no kind, and `.some(nil)` for an event without a feature.
    private static func feature(
        _ reader: inout PayloadReader, _ version: UInt8, _ names: [String]
    ) -> FeatureKind?? {
        if version == 1 {
            guard let number = reader.byte(), number <= kindsOfVersion1.count else { return nil }
            return .some(number == 0 ? nil : kindsOfVersion1[Int(number) - 1])
        }
        guard let index = reader.integer(bytes: 2), index == nobody || index < names.count else { return nil }
        guard index != nobody else { return .some(nil) }
        return FeatureKind(rawValue: names[Int(index)]).map { .some($0) }
    }
}
