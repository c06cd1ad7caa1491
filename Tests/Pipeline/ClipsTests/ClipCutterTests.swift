// SPDX-License-Identifier: Apache-2.0
import EventLines
import Frames
import GlimpseTesting
import Observations
import Testing

@testable import Clips

/// The frames of clips, by scripts. A second has 30 frames, as those of `SampleEvents`, and every 30th is a key frame.
@Suite struct ClipCutterTests {
    private static let frameTime: Int64 = 33_333_333

    private struct Camera {
        var demand = ClipDemand([.kind(.face, label: nil)], after: 1_000_000_000)
        var cutter = ClipCutter(before: 1_000_000_000, maximumLength: 10_000_000_000)
        /// The encoded frames in memory.
        var frames: [EncodedFrame] = []
        /// The numbers of the frames of each clip.
        var clips: [[UInt64]] = []
        var isOpen = false

        mutating func send(_ numbers: ClosedRange<UInt64>, format: Int = 0) {
            frames += numbers.map {
                EncodedFrame(
                    number: $0, presentationTime: Int64($0) * frameTime, bytes: 1000, isKey: $0 % 30 == 0,
                    format: format)
            }
        }

        mutating func see(_ phase: TrackPhase, _ kind: FeatureKind = .face, frame: UInt64) {
            demand.take(.track(SampleEvents.trackEvent(phase, kind, id: 7, frame: frame)))
        }

        mutating func cut(until limit: Int64 = .max) {
            let frames = frames
            for step in cutter.steps(demand, until: limit, { number in frames.filter { $0.number > number } }) {
                switch step {
                case .begin(let frame, _):
                    #expect(!isOpen && frame.isKey)
                    clips.append([])
                    isOpen = true
                case .append(let numbers):
                    #expect(isOpen)
                    clips[clips.count - 1] += numbers
                case .end:
                    #expect(isOpen)
                    isOpen = false
                }
            }
        }
    }

    @Test func clipBeginsWithTheKeyFrameBeforeItsPreRoll() {
        var camera = Camera()
        camera.send(1...100)
        camera.see(.detected, frame: 100)
        camera.cut()
        // Frame 70 is a second before frame 100.
        #expect(camera.clips == [Array(60...100)] && camera.isOpen)
    }

    @Test func clipBeginsThoughItsFirstFramesAreNewerThanTheLimit() {
        var camera = Camera()
        camera.send(30...40)
        camera.see(.detected, frame: 35)
        camera.cut(until: 10 * Self.frameTime)
        #expect(camera.clips.isEmpty && camera.cutter.hasWork(camera.demand))
        camera.cut()
        #expect(camera.clips == [Array(30...40)])
    }

    @Test func clipEndsAfterTheTrackWasLastSeen() {
        var camera = Camera()
        camera.send(1...100)
        camera.see(.detected, frame: 100)
        camera.cut()
        camera.send(101...200)
        camera.see(.update, frame: 130)
        camera.see(.missing, frame: 131)
        camera.cut()
        #expect(camera.clips == [Array(60...160)] && !camera.isOpen)
        #expect(!camera.cutter.hasWork(camera.demand))
    }

    @Test func clipGoesOnWhileATrackIsSeen() {
        var camera = Camera()
        camera.send(30...300)
        camera.see(.detected, frame: 60)
        camera.cut()
        #expect(camera.clips == [Array(30...300)] && camera.isOpen)
    }

    @Test func aLongClipIsCutAtAKeyFrameWithoutAGap() {
        var camera = Camera()
        camera.send(30...700)
        camera.see(.detected, frame: 60)
        camera.cut()
        // 300 frames are a little less than 10 s.
        #expect(camera.clips == [Array(30...359), Array(360...689), Array(690...700)])
    }

    @Test func anotherVisitMakesAnotherClip() {
        var camera = Camera()
        camera.send(30...600)
        camera.see(.detected, frame: 60)
        camera.see(.missing, frame: 61)
        camera.cut()
        camera.see(.detected, frame: 500)
        camera.see(.missing, frame: 501)
        camera.cut()
        #expect(camera.clips == [Array(30...90), Array(450...530)], "\(camera.clips)")
    }

    @Test func aVisitDuringAClipMakesNoSecondClip() {
        var camera = Camera()
        camera.send(30...600)
        camera.see(.detected, frame: 60)
        camera.see(.missing, frame: 61)
        camera.cut(until: 80 * Self.frameTime)
        camera.see(.update, frame: 100)
        camera.see(.missing, frame: 101)
        camera.cut()
        #expect(camera.clips == [Array(30...130)] && !camera.cutter.hasWork(camera.demand), "\(camera.clips)")
    }

    @Test func framesAreTakenOnlyUpToTheLimit() {
        var camera = Camera()
        camera.send(30...300)
        camera.see(.detected, frame: 60)
        camera.cut(until: 99 * Self.frameTime)
        #expect(camera.clips == [Array(30...99)])
        camera.cut()
        #expect(camera.clips == [Array(30...300)])
    }

    @Test func anotherFormatMakesAnotherClip() {
        var camera = Camera()
        camera.send(30...89)
        camera.send(90...100, format: 1)
        camera.see(.detected, frame: 60)
        camera.cut()
        #expect(camera.clips == [Array(30...89), Array(90...100)])
    }

    @Test func aGapInTheVideoMakesAnotherClip() {
        var camera = Camera()
        camera.send(30...70)
        camera.see(.detected, frame: 60)
        camera.cut()
        camera.frames = []
        camera.send(120...150)
        camera.cut()
        #expect(camera.clips == [Array(30...70), Array(120...150)])
    }

    /// Covered pictures that are withheld leave a pause in the numbered frames.
    @Test func aLongPauseOfTheVideoMakesAnotherClip() {
        var camera = Camera()
        camera.send(30...70)
        camera.see(.detected, frame: 60)
        camera.cut()
        camera.frames += (71...100).map {
            EncodedFrame(
                number: $0, presentationTime: Int64($0 + 200) * Self.frameTime, bytes: 1000, isKey: $0 == 71)
        }
        camera.cut()
        #expect(camera.clips == [Array(30...70), Array(71...100)])
    }

    @Test func videoFromBeforeALongPauseIsNoPreRoll() {
        var camera = Camera()
        camera.send(30...70)
        camera.see(.detected, frame: 600)
        camera.cut()
        #expect(camera.clips.isEmpty && camera.cutter.hasWork(camera.demand))
        camera.frames += (71...100).map {
            EncodedFrame(
                number: $0, presentationTime: Int64($0 + 525) * Self.frameTime, bytes: 1000, isKey: $0 == 71)
        }
        camera.cut()
        #expect(camera.clips == [Array(71...100)])
    }

    @Test func otherKindsMakeNoClip() {
        var camera = Camera()
        camera.send(30...300)
        camera.see(.detected, .barcode, frame: 60)
        camera.cut()
        #expect(camera.clips.isEmpty && !camera.cutter.hasWork(camera.demand))
    }

    @Test func clipRulesAreReadFromText() {
        #expect(ClipRule("face") == .kind(.face, label: nil))
        #expect(ClipRule("object:person") == .kind(.object, label: "person"))
        #expect(ClipRule("zone:desk") == .zone("desk") && ClipRule("line:a:b") == .line("a:b"))
        for text in ["face", "object:person", "zone:desk", "line:door"] { #expect(ClipRule(text)?.text == text) }
    }

    @Test func zonesLabelsAndLinesAreReasonsOfAClip() {
        var event = SampleEvents.trackEvent(.update, .object, id: 7, frame: 60)
        event.zones = ["desk"]
        var demand = ClipDemand(
            [.zone("desk"), .kind(.object, label: "cup \"1\""), .kind(.object, label: "dog"), .line("door")],
            after: 0)
        demand.take(.track(event))
        #expect(demand.reasons == [.zone("desk"), .kind(.object, label: "cup \"1\"")])
        demand.take(.line(LineEvent(line: "door", direction: .in, track: event)))
        demand.take(.line(LineEvent(line: "gate", direction: .in, track: event)))
        #expect(demand.reasons.count == 3 && demand.start == event.frame.presentationTime)
    }
}
