// SPDX-License-Identifier: Apache-2.0
import Foundation
import FragmentedVideo
import Frames
import GlimpseTesting
import Settings
import Testing

@testable import Clips
@testable import GStreamerSource

@Suite struct ClipFragmentsTests {
    private let scope = TestScope()

    private struct Shown: Equatable {
        var decoded: Int64
        var duration: Int64
        var size: Int64
        var isKey: Bool
        var offset: Int64

        var time: Int64 { decoded + offset }
    }

    /// The frames of each fragment, whose runs have four fields for each.
    private static func fragments(_ bytes: [UInt8]) -> [[Shown]] {
        func number(_ index: Int) -> Int64 { bytes[index..<(index + 4)].reduce(Int64(0)) { $0 << 8 | Int64($1) } }
        func find(_ name: String, from start: Int) -> Int? {
            Data(bytes).range(of: Data(name.utf8), in: start..<bytes.count)?.upperBound
        }
        var (fragments, start) = ([[Shown]](), 0)
        while let times = find("tfdt", from: start), let run = find("trun", from: times) {
            var (time, fragment) = (number(times + 4) << 32 | number(times + 8), [Shown]())
            for frame in 0..<Int(number(run + 4)) {
                let fields = (0..<4).map { number(run + 12 + 16 * frame + 4 * $0) }
                fragment.append(
                    Shown(
                        decoded: time, duration: fields[0], size: fields[1], isKey: fields[2] == 0x200_0000,
                        offset: Int64(Int32(truncatingIfNeeded: fields[3]))))
                time += fields[0]
            }
            fragments.append(fragment)
            start = run
        }
        return fragments
    }

    /// The presentation times in the order of decoding.
    private static func times(_ bytes: [UInt8]) -> [Int64] { fragments(bytes).joined().map(\.time) }

    private static func bytes(_ times: [Int64?], group: Int = 15) -> [UInt8] {
        var (fragments, bytes) = (ClipFragments(start: times.first.flatMap(\.self) ?? 0), [UInt8]())
        for (index, time) in times.enumerated() {
            bytes += fragments.append(time: time, isKey: index % group == 0, content: [1, UInt8(index & 255)])
        }
        return bytes + fragments.finish()
    }

    @Test func fragmentsHaveASecondAndTheTimesOfTheFrames() {
        let times = (0..<40).map { (index: Int64) in index * 66_666_667 + index % 3 * 1_000_000 + 7_000_000_000 }
        let bytes = Self.bytes(times)
        #expect(Self.times(bytes) == times.map { $0 - times[0] })
        let fragments = Self.fragments(bytes)
        #expect(fragments.map(\.count) == [15, 15, 10])
        #expect(fragments.joined().map(\.isKey) == (0..<40).map { $0 % 15 == 0 })
        #expect(fragments.joined().allSatisfy { $0.offset == 0 && $0.size == 2 })
    }

    @Test func framesAreShownAtTheirTimesWhereTheyAreReordered() {
        let order = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11, 15, 13, 14]
        let times = (0..<6).flatMap { (group: Int) -> [Int64] in
            order.map { Int64(group * 16 + $0) * 40_000_000 }
        }
        let bytes = Self.bytes(times)
        #expect(Self.times(bytes) == times)
        #expect(Self.fragments(bytes).joined().map(\.decoded) == times.sorted())
    }

    @Test func framesBeforeTheFirstKeyFrameAreLeftOut() {
        let order: [Int64] = [3, 1, 2, 6, 4, 5]
        #expect(Self.times(Self.bytes(order.map { $0 * 40_000_000 })) == [0, 120_000_000, 40_000_000, 80_000_000])
    }

    @Test func framesWithoutATimeOrWithThatOfTheFrameBeforeComeATickLater() {
        let times: [Int64?] = [5, nil, nil, 66_000_005, 66_000_005, 132_000_005]
        #expect(Self.times(Self.bytes(times)) == [0, 100_000, 200_000, 66_000_000, 66_100_000, 132_000_000])
    }

    /// Cameras whose clock jumps, stands still or is nonsense.
    @Test func everyFrameIsInTheVideoWhateverItsTime() {
        var random = SeededRandom(seed: 21)
        for _ in Fuzz.rounds(200) {
            var time = Int64.random(in: -5_000_000_000...5_000_000_000, using: &random)
            let count = Int.random(in: 1...80, using: &random)
            let times: [Int64?] = (0..<count).map { (index: Int) -> Int64? in
                time += Int64.random(in: 0...100_000_000, using: &random)
                let event = index == 0 ? 99 : Int.random(in: 0..<60, using: &random)
                switch event {
                case 0: return nil
                case 1: return Bool.random(using: &random) ? .min : .max
                case 2: time -= Int64.random(in: 1_100_000_000...10_000_000_000_000, using: &random)
                case 3: time += Int64.random(in: 0...10_000_000_000_000, using: &random)
                case 4: time -= 30_000_000
                default: break
                }
                return time
            }
            let fragments = Self.fragments(Self.bytes(times))
            // Those just before the first frame are taken for ones that depend on frames before the clip.
            let leading = times.dropFirst().prefix { ($0 ?? .max) < times[0] ?? 0 }.count
            #expect((count - leading...count).contains(fragments.joined().count), "\(times)")
            let starts = fragments.map { $0[0].decoded }
            #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
            #expect(fragments.joined().allSatisfy { $0.duration > 0 && $0.size == 2 }, "\(times)")
        }
    }

    // MARK: Sources

    /// Reads a source until it has so many encoded frames.
    private func read(_ source: GStreamerSource, frames count: Int) throws -> any CameraVideo {
        try source.start()
        let video = try #require(source.encodedVideo)
        let deadline = ContinuousClock.now + patience
        while video.fill.frames < count, ContinuousClock.now < deadline { _ = source.next(timeout: .milliseconds(100)) }
        return video
    }

    /// The presentation times of the frames that a decoder finds in a clip.
    private func shown(_ frames: [EncodedFrame], of video: any CameraVideo) throws -> [Int64] {
        let first = try #require(frames.first)
        var fragments = ClipFragments(start: try #require(first.presentationTime))
        var bytes = MovieHeader.bytes(try video.description(at: first.number))
        for frame in frames {
            let content = try #require(video.content(of: frame.number))
            bytes += fragments.append(time: frame.presentationTime, isKey: frame.isKey, content: content)
        }
        let file = scope.path("clip.mp4")
        _ = FileManager.default.createFile(atPath: file, contents: Data(bytes + fragments.finish()))
        let clip = GStreamerSource(SourceSettings(kind: .file(path: file, pace: .fast)))
        try clip.start()
        defer { clip.stop() }
        var times: [Int64] = []
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            switch clip.next(timeout: .seconds(1)) {
            case .frame(let frame): times.append(frame.info.presentationTime)
            case .nothing: break
            case .ended: return times
            case .failed(let error): throw error
            }
        }
        return times
    }

    @Test(arguments: [
        "openh264enc gop-size=15 ! h264parse ! matroskamux", "openh264enc gop-size=15 ! h264parse ! mpegtsmux",
        "x265enc key-int-max=15 option-string=bframes=2 ! h265parse ! matroskamux",
        "x265enc key-int-max=15 option-string=bframes=3:open-gop=1 ! h265parse ! matroskamux",
    ]) func aDecoderFindsEachFrameOfAClipAtItsTime(encoding: String) throws {
        let film = try MediaMaker.film(scope.path("film.mkv"), frames: 60, encoding: encoding)
        var settings = SourceSettings(kind: .file(path: film, pace: .realtime))
        settings.ring.duration = .seconds(60)
        let source = GStreamerSource(settings)
        let video = try read(source, frames: 60)
        defer { source.stop() }
        let frames = video.frames(after: 15)
        #expect(frames.count == 45 && frames[0].isKey)
        let times = frames.compactMap(\.presentationTime).sorted().filter { $0 >= frames[0].presentationTime ?? 0 }
        #expect(try shown(frames, of: video) == times.map { $0 - times[0] })
    }

    @Test func aClipHasAlsoFramesThatHaveLostTheirTimes() throws {
        // Each picture comes twice, and the parser takes the time stamp of the second away.
        let camera =
            "videotestsrc num-buffers=30 is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=15/1 "
            + "! tee name=t ! queue ! f. t. ! queue ! f. funnel name=f ! openh264enc gop-size=15 ! h264parse "
            + "! video/x-h264,stream-format=byte-stream,alignment=au"
        var settings = SourceSettings(kind: .v4l2(device: "/dev/video0"), width: 320, height: 240)
        settings.ring.duration = .seconds(60)
        let source = GStreamerSource(settings, camera: camera)
        let video = try read(source, frames: 60)
        defer { source.stop() }
        let frames = video.frames(after: 0)
        #expect(frames.count == 60 && frames.contains { $0.presentationTime == nil })
        #expect(try shown(frames, of: video).count == 60)
    }
}
