// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import GStreamerSource

/// Cameras whose streams do not allow to idle, for a while or at all.
extension KeyFrameIdlingTests {
    @Test func aCameraWithoutKeyFramesIsDecodedWhole() {
        var camera = Camera()
        camera.send(key: true)
        camera.idling.mayIdle(true)
        for _ in 0..<60 { camera.send(key: false) }
        #expect(camera.idling.obstacle == "its key frames are more than 5 s apart")
        #expect(camera.numbers(.ordinary) == Array(1...61))
    }

    @Test(arguments: [nil, 1, 300_000_000] as [Int64?]) func timesOutOfOrderEndTheIdling(time: Int64?) {
        var camera = Camera()
        camera.idling.mayIdle(true)
        camera.sendGroup(4)
        if let time {
            camera.send(key: false, time: time)
        } else if case .catchUp(let frames, let item) = camera.idling.arrive(5, time: nil, bytes: 1, isKey: false) {
            camera.decoded += frames.map { ($0.item.number, $0.role) } + [(item.number, .past)]
        }
        let reason = time == nil ? "a frame has no time stamp" : "its frames are not in the order of their times"
        #expect(camera.idling.obstacle == reason && camera.idling.isInOrder == (time == nil))
        #expect(camera.numbers(.ordinary, .past) == Array(1...5))
    }

    @Test func aCameraThatWasDisturbedOnceIdlesAgain() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        camera.sendGroup()
        camera.send(key: false, time: 1)
        #expect(camera.idling.obstacle != nil && !camera.idling.isInOrder)
        for _ in 0..<8 { camera.sendGroup() }
        #expect(camera.idling.obstacle != nil && !camera.idling.isIdle)
        for _ in 0..<3 { camera.sendGroup() }
        #expect(camera.idling.obstacle == nil && camera.idling.isIdle && camera.idling.isInOrder)
    }

    /// Each third frame is shown before the one that came before it.
    @Test func aCameraWithFramesOutOfOrderNeverIdles() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        for group in 0..<100 {
            for index in 0..<12 as Range<Int64> {
                let shown = index % 3 == 1 ? index + 1 : index % 3 == 2 ? index - 1 : index
                camera.send(key: index == 0, time: (Int64(group) * 12 + shown + 1) * 100_000_000)
            }
            #expect(!camera.idling.isInOrder && !camera.idling.isIdle || group == 0)
        }
    }

    @Test func aCameraWithRareKeyFramesNeverIdles() {
        var camera = Camera()
        camera.idling.mayIdle(true)
        for _ in 0..<20 {
            camera.sendGroup(200)
            #expect(camera.idling.obstacle?.hasPrefix("its key frames are more than 5 s apart") == true)
        }
        // The only attempt ends with the first frame past the limit of 5 s.
        #expect(camera.numbers(.past) == Array(2...52), "\(camera.numbers(.past))")
    }

    /// A group that does not fit delays frames, so the attempts become rare.
    @Test func attemptsThatFailBecomeRare() {
        var camera = Camera(IdleLimits(duration: 5_000_000_000, bytes: 5_000, interval: 500_000_000))
        camera.idling.mayIdle(true)
        for _ in 0..<1_000 { camera.sendGroup() }
        let attempts = Set(camera.numbers(.past).map { ($0 - 1) / 10 })
        #expect((6...9).contains(attempts.count), "\(attempts)")
        #expect(camera.numbers(.ordinary, .past) == Array(1...10_000))
    }
}
