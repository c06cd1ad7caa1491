// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Testing

@testable import GStreamerSource

/// The frames that reach a decoder, by scripts of encoded frames. A frame lasts 100 ms.
@Suite struct KeyFrameIdlingTests {
    static let limits = IdleLimits(duration: 5_000_000_000, bytes: 1 << 20, interval: 500_000_000)

    struct Camera {
        var idling: KeyFrameIdling<UInt64>
        var number: Int64 = 0
        /// Every frame that reached the decoder.
        var decoded: [(number: UInt64, role: FrameRole)] = []

        init(_ limits: IdleLimits = KeyFrameIdlingTests.limits) { idling = KeyFrameIdling(limits) }

        mutating func send(key: Bool, bytes: Int = 1000, time: Int64? = nil) {
            number += 1
            switch idling.arrive(
                UInt64(number), time: time ?? number * 100_000_000, bytes: bytes, isKey: key)
            {
            case .pass(let item, let role): decoded.append((item.number, role))
            case .hold: break
            case .glance(let item): decoded.append((item.number, .glance))
            case .catchUp(let frames, let item):
                decoded += frames.map { ($0.item.number, $0.role) }
                decoded.append((item.number, .past))
            }
        }

        /// A group of pictures: a key frame, and frames that depend on it.
        mutating func sendGroup(_ length: Int = 10) { for index in 0..<length { send(key: index == 0) } }

        func numbers(_ roles: FrameRole...) -> [UInt64] { decoded.filter { roles.contains($0.role) }.map(\.number) }
    }

    @Test func everyFrameIsDecodedWhileThePictureMoves() {
        var camera = Camera()
        for _ in 0..<3 { camera.sendGroup() }
        #expect(camera.numbers(.ordinary) == Array(1...30) && !camera.idling.isIdle)
    }

    @Test func onlyKeyFramesAreDecodedAtRest() {
        var camera = Camera()
        camera.sendGroup()
        camera.idling.mayIdle(true)
        for _ in 0..<3 {
            camera.sendGroup()
            camera.idling.answer(isChanged: false)
        }
        // The first key frame at rest is an ordinary one.
        #expect(camera.numbers(.ordinary) == Array(1...11))
        #expect(camera.numbers(.glance) == [21, 31] && camera.decoded.count == 13)
    }

    @Test func aChangedKeyFrameBringsEveryFrameSinceTheOneBeforeIt() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        camera.sendGroup()
        camera.send(key: true)
        camera.idling.answer(isChanged: false)
        for _ in 0..<9 { camera.send(key: false) }
        camera.send(key: true)
        #expect(camera.numbers(.glance) == [11, 21])
        camera.idling.answer(isChanged: true)
        camera.send(key: false)
        // The decoder has seen frame 21 since frame 11, on which frame 12 depends.
        #expect(camera.numbers(.again) == [11])
        #expect(camera.numbers(.past) == Array(12...22) && !camera.idling.isIdle)
        camera.send(key: false)
        #expect(camera.numbers(.ordinary) == [1, 23])
    }

    @Test func aKeyFrameThatComesBeforeTheAnswerIsLookedAtAfterIt() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        for _ in 0..<4 { camera.sendGroup() }
        #expect(camera.numbers(.glance) == [11])
        for _ in 0..<2 {
            camera.idling.answer(isChanged: false)
            camera.send(key: false)
        }
        #expect(camera.numbers(.glance) == [11, 21, 31])
        camera.idling.answer(isChanged: true)
        camera.send(key: false)
        #expect(camera.numbers(.again) == [21])
        #expect(camera.numbers(.past) == Array(22...43) && !camera.idling.isIdle)
    }

    @Test func aRestThatBeginsWithinAGroupHoldsTheRestOfIt() {
        var camera = Camera()
        for _ in 0..<2 { camera.sendGroup() }
        camera.send(key: true)
        for _ in 0..<3 { camera.send(key: false) }
        camera.idling.mayIdle(true)
        for _ in 0..<6 { camera.send(key: false) }
        // Frame 25 is the first after the word.
        #expect(camera.numbers(.ordinary) == Array(1...25))
        camera.send(key: true)
        #expect(camera.numbers(.glance) == [31])
        camera.idling.answer(isChanged: true)
        camera.send(key: false)
        // Frame 26 depends on all before it since frame 21, and the decoder has had frame 31 since then.
        #expect(camera.numbers(.again) == Array(21...25) && camera.numbers(.past) == Array(26...32))
    }

    @Test func aRestWithinAGroupThatEndsAtOnceDecodesNothingAgain() {
        var camera = Camera()
        for _ in 0..<2 { camera.sendGroup() }
        camera.sendGroup(4)
        camera.idling.mayIdle(true)
        for _ in 0..<3 { camera.send(key: false) }
        camera.idling.mayIdle(false)
        camera.send(key: false)
        #expect(camera.numbers(.again) == [] && camera.numbers(.past) == Array(26...28))
        #expect(camera.numbers(.ordinary) == Array(1...25))
    }

    @Test func noRestBeginsWithinAGroupThatTheDecoderHasNotHad() {
        var camera = Camera()
        for _ in 0..<2 { camera.sendGroup() }
        camera.sendGroup(4)
        camera.idling.forgetGroup()
        camera.idling.mayIdle(true)
        for _ in 0..<6 { camera.send(key: false) }
        #expect(!camera.idling.isIdle)
        camera.send(key: true)
        #expect(camera.idling.isIdle)
    }

    @Test func aDetectorThatWaitsEndsTheRestWithoutDecodingTheKeyFrameAgain() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        camera.sendGroup(5)
        camera.idling.mayIdle(false)
        camera.send(key: false)
        #expect(camera.numbers(.again) == [] && camera.numbers(.past) == Array(2...6))
    }

    @Test func framesThatWaitGoBeforeTheEndOfTheStream() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        camera.sendGroup(5)
        #expect(camera.idling.end().map(\.item.number) == Array(2...5))
        #expect(camera.idling.end().isEmpty)
    }

    @Test func aCameraOfKeyFramesIsLookedAtInIntervals() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        for _ in 0..<30 {
            camera.send(key: true)
            camera.idling.answer(isChanged: false)
        }
        #expect(camera.numbers(.glance) == [6, 11, 16, 21, 26])
    }

    @Test func aGroupThatIsTooLongIsDecodedWhole() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        camera.sendGroup(100)
        #expect(camera.numbers(.ordinary, .past) == Array(1...100))
        #expect(camera.idling.obstacle == "its key frames are more than 5 s apart, or source.ring_bytes is too small")
        camera.sendGroup(20)
        #expect(!camera.idling.isIdle)

        var large = Camera()
        large.idling.mayIdle(true)
        for index in 0..<20 { large.send(key: index == 0, bytes: 100_000) }
        #expect(large.idling.obstacle != nil && large.numbers(.ordinary, .past) == Array(1...20))

        var huge = Camera()
        huge.idling.mayIdle(true)
        for index in 0..<20 { huge.send(key: index % 10 == 0, bytes: 2 << 20) }
        #expect(huge.idling.obstacle != nil && huge.numbers(.ordinary) == Array(1...20))
    }

    /// A damaged key frame gives no picture, so nobody answers it.
    @Test func keyFramesThatGiveNoPictureEndTheIdlingAndBecomeAnObstacle() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        for round in 1...3 {
            #expect(camera.idling.obstacle == nil)
            // The key frame at which the idling begins, one without an answer, and frames past the limit of 5 s.
            for _ in 0..<6 { camera.sendGroup() }
            #expect(camera.numbers(.glance).count == round, "\(camera.numbers(.glance))")
        }
        #expect(camera.idling.obstacle == "its key frames give no pictures")
        #expect(camera.numbers(.ordinary, .past) == Array(1...180))
    }

    @Test func anAnswerForgivesEarlierKeyFramesWithoutAPicture() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        for _ in 0..<6 {
            for _ in 0..<7 { camera.sendGroup() }
            camera.sendGroup(1)
            camera.idling.answer(isChanged: false)
            _ = camera.idling.end()
        }
        #expect(camera.numbers(.glance).count == 12)
        #expect(camera.idling.obstacle == nil)
    }

    /// Every frame is decoded once to be seen, or was left out between two key frames without a change. The camera and
    /// the reader's answers are random.
    @Test(arguments: 0..<200) func noFrameIsDoubledOrLost(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var camera = Camera()
        var open: [UInt64] = []
        var accepted: Set<UInt64> = []
        for _ in 0..<300 {
            camera.send(key: Int.random(in: 0..<8, using: &random) == 0)
            if let last = camera.decoded.last, last.role == .glance, !open.contains(last.number) {
                open.append(last.number)
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: camera.idling.mayIdle(true)
            case 1: if Bool.random(using: &random) { camera.idling.mayIdle(false) }
            case 2, 3, 4:
                // Only the newest glance can be answered, and a repeated answer is none.
                if let last = open.last, !camera.numbers(.past).contains(last), !accepted.contains(last),
                    camera.idling.isIdle
                {
                    let isChanged = Bool.random(using: &random)
                    camera.idling.answer(isChanged: isChanged)
                    if !isChanged { accepted.insert(last) }
                }
            default: break
            }
        }
        let seen = camera.numbers(.ordinary, .past)
        #expect(seen == seen.sorted() && Set(seen).count == seen.count)
        // Frames in the past follow a frame that was seen, without a gap.
        for (index, frame) in camera.decoded.enumerated() where frame.role == .past && index > 0 {
            let before = camera.decoded[..<index].last { $0.role != .glance || accepted.contains($0.number) }
            #expect(before.map(\.number) == frame.number - 1, "\(frame.number)")
        }
    }
}
