// SPDX-License-Identifier: Apache-2.0
import Observations
import Search

extension SearchInput {
    func put(to bytes: inout [UInt8]) {
        switch self {
        case .command(let command):
            bytes.append(0)
            command.put(to: &bytes)
        case .report(.cropped(let query, let path)):
            bytes.append(1)
            bytes.put(query)
            bytes.put(path)
        case .report(.answered(let query, let answer)):
            bytes.append(2)
            bytes.put(query)
            answer.put(to: &bytes)
        case .quality(let quality):
            bytes.append(3)
            bytes.put(quality.brightness)
            bytes.put(quality.contrast)
            bytes.put(quality.sharpness)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.byte() {
        case 0: self = .command(try SearchCommand(from: &reader))
        case 1: self = .report(.cropped(query: try reader.text(), path: try reader.text()))
        case 2: self = .report(.answered(query: try reader.text(), try SearchAnswer(from: &reader)))
        case 3:
            self = .quality(
                PictureQuality(
                    brightness: try reader.float(), contrast: try reader.float(), sharpness: try reader.float()))
        default: throw ByteReader.Malformed()
        }
    }
}

extension SearchCommand {
    fileprivate func put(to bytes: inout [UInt8]) {
        switch self {
        case .search: bytes.append(0)
        case .dismiss: bytes.append(1)
        case .retry: bytes.append(2)
        case .select(let track):
            bytes.append(3)
            bytes.put(track.number)
        case .answer(let query, let answer):
            bytes.append(4)
            bytes.put(query)
            answer.put(to: &bytes)
        case .attend(let isAttended):
            bytes.append(5)
            bytes.put(isAttended)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.byte() {
        case 0: self = .search
        case 1: self = .dismiss
        case 2: self = .retry
        case 3: self = .select(TrackID(try reader.unsigned()))
        case 4: self = .answer(query: try reader.text(), try SearchAnswer(from: &reader))
        case 5: self = .attend(try reader.bool())
        default: throw ByteReader.Malformed()
        }
    }
}

extension SearchAnswer {
    fileprivate func put(to bytes: inout [UInt8]) {
        switch self {
        case .results(let results):
            bytes.append(0)
            bytes.put(all: results) { bytes, result in
                bytes.put(result.id)
                bytes.put(result.title)
                bytes.put(result.confidence)
                bytes.put(result.picture) { $0.put($1) }
                bytes.put(result.payload) { $0.put($1) }
            }
        case .failed(let failure):
            bytes.append(1)
            bytes.put(failure.reason)
            bytes.put(failure.retryable)
            bytes.put(failure.message) { $0.put($1) }
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.byte() {
        case 0:
            self = .results(
                try reader.all { reader throws(ByteReader.Malformed) in
                    SearchResult(
                        id: try reader.text(), title: try reader.text(), confidence: try reader.float(),
                        picture: try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() },
                        payload: try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() })
                })
        case 1:
            self = .failed(
                SearchFailure(
                    try reader.name(), retryable: try reader.bool(),
                    message: try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() }))
        default: throw ByteReader.Malformed()
        }
    }
}
