// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import GStreamerSource

/// The division of GIF films into packets, tested on bytes.
@Suite struct GIFPacketsTests {
    /// All packets of a file, and the error that ended it. The file is read in pieces of any size.
    private func cut(_ bytes: [UInt8], piece: Int = .max) -> (packets: [GIFPackets.Packet], damage: GIFPackets.Damage?)
    {
        var rest = bytes[...]
        var packets: [GIFPackets.Packet] = []
        do throws(GIFPackets.Damage) {
            var film = try GIFPackets { count in
                defer { rest = rest.dropFirst(min(count, piece)) }
                return Array(rest.prefix(min(count, piece)))
            }
            while let packet = try film.next() { packets.append(packet) }
            #expect(try film.next() == nil)
            return (packets, nil)
        } catch {
            return (packets, error)
        }
    }

    private static let film = GIFFilm.bytes(
        width: 40, height: 30,
        pictures: [
            .init(grey: 10, hundredths: 7), .init(grey: 20, hundredths: 0), .init(grey: 30, hundredths: 1),
            .init(grey: 40, hundredths: 2), .init(grey: 50, hundredths: 9, hasControl: false),
            .init(grey: 60, hundredths: 65535),
        ])

    @Test func packetsOfAGIFHaveTheirTimes() {
        let (packets, damage) = cut(Self.film)
        #expect(damage == nil)
        #expect(packets.map { $0.duration / 10_000_000 } == [7, 10, 10, 2, 10, 65535])
        #expect(packets.map { $0.start / 10_000_000 } == [0, 7, 17, 27, 29, 39])
        #expect(packets[0].bytes.starts(with: Self.film.prefix(13 + 3 * 128)))
        #expect(packets.dropFirst().allSatisfy { $0.bytes[0] == 0x21 || $0.bytes[0] == 0x2C })
        #expect(packets.allSatisfy { $0.bytes.firstRange(of: Array("NETSCAPE".utf8)) == nil })
    }

    @Test func packetsOfAGIFDoNotDependOnThePiecesOfTheFile() {
        for piece in [1, 2, 3, 7, 255, 256] { #expect(cut(Self.film, piece: piece).packets == cut(Self.film).packets) }
    }

    /// A film that is cut at any byte gives the pictures before the cut, or an error if there is no picture.
    @Test func aGIFCutAtAnyPlaceGivesItsCompletePackets() {
        let whole = cut(Self.film).packets
        for count in 0..<Self.film.count {
            let (packets, damage) = cut(Array(Self.film.prefix(count)))
            #expect(packets == Array(whole.prefix(packets.count)))
            #expect(damage == (packets.isEmpty ? .cutOff : nil), "\(count) bytes")
        }
        #expect(cut(Self.film.dropLast()).packets == whole)
    }

    @Test func aFileThatIsNotAGIFIsRefused() {
        #expect(cut([]).damage == .cutOff)
        #expect(cut(Array("GIF88a............".utf8)).damage == .noGIF)
        let head = Array("GIF89a".utf8)
        #expect(cut(head + [0, 0, 5, 0, 0, 0, 0]).damage == .impossibleSize(width: 0, height: 5))
        #expect(
            cut(head + [255, 255, 255, 255, 0, 0, 0]).damage == .impossibleSize(width: 65535, height: 65535))
        #expect(cut(head + [5, 0, 5, 0, 0, 0, 0, 0x3B]).damage == .cutOff)
        #expect(cut(head + [5, 0, 5, 0, 0, 0, 0, 0x7F]).damage == .garbage(offset: 13))
    }

    @Test func packetsBeforeTheDamageOfAGIFAreGiven() {
        let (packets, damage) = cut(Self.film.dropLast() + [0x44, 0x45])
        #expect(packets.count == 6)
        #expect(damage == .garbage(offset: Self.film.count - 1))
    }

    @Test func anEndlessPictureOfAGIFIsNotRead() {
        let head = Array("GIF89a".utf8) + [5, 0, 5, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 5, 0, 5, 0, 0, 8]
        var blocks = 0
        var start = head
        let damage = #expect(throws: GIFPackets.Damage.self) {
            var film = try GIFPackets { count in
                defer { start = [] }
                if !start.isEmpty { return start }
                blocks += 1
                return [255] + [UInt8](repeating: 7, count: 255)
            }
            _ = try film.next()
        }
        #expect(damage == .tooLarge(bytes: 65_536 + 100))
        #expect(blocks < 300)
    }

    /// With any bytes, the parser ends, uses bounded memory, and reports no packet twice.
    @Test func damagedGIFsGiveErrors() {
        for seed in Fuzz.seeds(1500) {
            var random = SeededRandom(seed: seed)
            var bytes = Self.film
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] = [0x21, 0x2C, 0x3B, 0xF9, 0, 255].randomElement(using: &random) ?? 0
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                default: bytes.insert(contentsOf: bytes.prefix(Int.random(in: 1...40, using: &random)), at: place)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let (packets, damage) = cut(bytes, piece: Int.random(in: 1...500, using: &random))
            #expect(packets.reduce(0) { $0 + $1.bytes.count } <= bytes.count + 8 * packets.count, "seed \(seed)")
            #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.start + $0.duration == $1.start }, "seed \(seed)")
            #expect(!packets.isEmpty || damage != nil, "seed \(seed)")
        }
    }
}
