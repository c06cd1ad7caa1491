// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

@testable import EventLog
@testable import JSONLines

/// Any line of a subscriber gets lines of JSON as an answer, and the stream to the subscriber stays valid.
@Suite struct SubscriberFuzzTests {
    private static let words = [
        "\"subscribe\":", "\"after\":", "\"run_id\":", "\"state\":", "\"ping\":", "\"pipelines\":", "\"kinds\":",
        "\"types\":", "\"labels\":", "\"min_confidence\":", "\"zones\":", "\"lines\":", "\"value_regex\":",
        "\"update_hz\":",
        "\"stages\":", "\"frames\":", "\"frame_hz\":", "null", "true", "\"face\"", "\"completed\"", "\\ud800",
        "\\u0000", "(?:", "{1,1000}", "[^a]",
        "\\\\p{L}", ".*", "(a|aa)+", "{\"", "[", "\n", "\r\n", "\u{2028}",
    ]

    @Test func anySubscriberLineIsARequestOrAnError() throws {
        let corpus = try FuzzCorpus("subscriber", words: Self.words)
        var bench = SubscriberBench()
        _ = bench.connect()
        bench.append(.detected, id: 1)
        bench.append(.update, id: 1)
        bench.append(.detected, id: 2, kind: .barcode, text: "https://example.org/aaaaaaaaaaaaaaaaaaaaaaaa!")
        bench.append(.update, id: 2, kind: .barcode, text: "https://example.org/aaaaaaaaaaaaaaaaaaaaaaaa!")
        bench.append(.detected, id: 3, kind: .object, text: "cup", zones: ["till"])
        bench.append(zone: "till", id: 3)
        var (requests, refused) = (0, 0)
        try corpus.forEach(Fuzz.rounds(3000)) { input in
            do throws(SubscriberRequest.Invalid) {
                _ = try SubscriberRequest(line: input)
                requests += 1
            } catch {
                refused += 1
                try #require(!error.reason.isEmpty && error.reason.utf8.count < 1000)
            }
            // A connection that receives the bytes in pieces, with a log behind it.
            var reader = bench
            var random = SeededRandom(seed: UInt64(input.count))
            var rest = (input + [UInt8(ascii: "\n")])[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...max(1, rest.count), using: &random))
                rest = rest.dropFirst(piece.count)
                reader.subscriber.received(piece)
                while reader.subscriber.isAsking {
                    var steps = Int.random(in: 1...3000, using: &random)
                    let answers = reader.subscriber.nextAnswers(reader.log, at: reader.moment, steps: &steps)
                    try check(answers, reader)
                }
            }
            for _ in 0..<8 {
                var steps = Int.random(in: 1...3000, using: &random)
                try check(reader.subscriber.nextWrites(reader.log, at: reader.moment, steps: &steps), reader)
            }
        }
        print("subscriber: \(requests) requests, \(refused) refused")
        #expect(requests > 50 && refused > 100)
    }

    private func check(_ actions: [Subscriber.Action], _ bench: SubscriberBench) throws {
        for action in actions {
            guard case .send(let bytes) = action else { continue }
            try #require(bytes.last == UInt8(ascii: "\n"))
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                try #require(line.count <= 64 << 10)
                try #require(try JSONSerialization.jsonObject(with: Data(line)) is [String: Any])
            }
        }
    }

    /// The lines do not depend on the cuts between reads.
    @Test func cutsOfSubscriberLinesMakeNoDifference() throws {
        let corpus = try FuzzCorpus("subscriber", words: Self.words)
        try corpus.forEach(Fuzz.rounds(300)) { input in
            var (whole, cut) = (LineSplitter(limit: 100), LineSplitter(limit: 100))
            let expected = whole.append(input)
            var pieces: [LineSplitter.Piece] = []
            for start in stride(from: 0, to: input.count, by: 7) { pieces += cut.append(input[start...].prefix(7)) }
            // The kept part of a line that is too long depends on the pieces in which the line came.
            try #require(pieces.count == expected.count)
            for (one, other) in zip(pieces, expected) {
                if case .tooLong = one, case .tooLong = other { continue }
                try #require(one == other)
            }
            try #require(whole.finish() == cut.finish())
        }
    }
}
