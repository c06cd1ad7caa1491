// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Settings
import Testing

@testable import GStreamerSource

/// Sources that idle by dropping pictures. In scripts a picture lasts 100 ms.
@Suite struct PictureIdlingTests {
    private static func passed(
        _ count: Int64, every interval: Int64 = 500_000_000, time: (Int64) -> Int64? = { $0 * 100_000_000 },
        rests: (Int64) -> Bool
    ) -> (numbers: [FrameRole: [Int64]], idling: PictureIdling) {
        var idling = PictureIdling(every: interval)
        var numbers: [FrameRole: [Int64]] = [:]
        for number in 1...count {
            if let role = idling.arrive(time: time(number)) { numbers[role, default: []].append(number) }
            idling.mayIdle(rests(number))
        }
        return (numbers, idling)
    }

    @Test func aPictureInEachIntervalPassesAtRest() {
        let (numbers, idling) = Self.passed(30) { $0 >= 10 }
        #expect(numbers[.ordinary] == Array(1...10) && numbers[.sample] == [15, 20, 25, 30])
        #expect(idling.arrived == 30 && idling.dropped == 16)
    }

    @Test func everyPictureAfterTheRestPasses() {
        let (numbers, _) = Self.passed(20) { (3..<15).contains($0) }
        #expect(numbers[.ordinary] == [1, 2, 3] + Array(16...20) && numbers[.sample] == [8, 13])
    }

    @Test func aTimeThatRunsBackwardsEndsTheInterval() {
        let (numbers, _) = Self.passed(20, time: { ($0 < 10 ? $0 : $0 - 10) * 100_000_000 }) { _ in true }
        #expect(numbers[.ordinary] == [1, 10] && numbers[.sample] == [6, 15, 20])
    }

    @Test func picturesWithoutTimesAllPass() {
        let (numbers, idling) = Self.passed(20, time: { _ in nil }) { _ in true }
        #expect(numbers == [.ordinary: Array(1...20)])
        #expect(idling.obstacle == "its pictures have no time stamps")
    }

    // MARK: Sources

    private static let raw = raw(frames: 60)

    private static func raw(frames: Int) -> String {
        "videotestsrc num-buffers=\(frames) is-live=true ! video/x-raw,framerate=30/1,width=320,height=240"
    }

    private static func launched(_ text: String) -> SourceSettings {
        var settings = SourceSettings(kind: .launch(text))
        settings.idling.mode = .keyframes
        return settings
    }

    /// Numbers and times are those of the source, whether pictures between were dropped by the valve or by the sink.
    private func expectSamples(_ read: IdleReader, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(!read.isOverdue && read.obstacle == nil && read.arrived == 60, sourceLocation: sourceLocation)
        let samples = read.numbers(.sample)
        #expect(
            (2...3).contains(samples.count) && read.numbers(.glance, .past, .again) == [],
            sourceLocation: sourceLocation)
        read.expectTrueNumbers(rate: 30, sourceLocation: sourceLocation)
        for (first, next) in zip(samples, samples.dropFirst()) {
            #expect(next - first >= 15, "\(samples)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: ["", " ! jpegenc ! image/jpeg"])
    func aCameraWithoutEncodedVideoGivesAPictureInEachIntervalAtRest(encoding: String) throws {
        expectSamples(try IdleReader(IdleReader.settings(), camera: Self.raw + encoding))
    }

    @Test func aLaunchTextGivesAPictureInEachIntervalAtRest() throws {
        expectSamples(try IdleReader(Self.launched(Self.raw)))
    }

    @Test func aPictureThatDiffersEndsTheRestOfASource() throws {
        let read = try IdleReader(Self.launched(Self.raw(frames: 150))) { $0.presentationTime > 1_000_000_000 }
        let sample = try #require(read.numbers(.sample).last)
        #expect(sample >= 31 && read.numbers.last == 150, "\(read.numbers)")
        // A busy machine may lose some of them, but not those of four seconds.
        #expect(read.numbers(.ordinary).count { $0 > sample } > 3, "\(read.numbers)")
        #expect(zip(read.numbers, read.numbers.dropFirst()).allSatisfy(<))
    }

    @Test func framesThatDependOnOthersAreAllDecodedWithoutARing() throws {
        let read = try IdleReader(
            IdleReader.settings(),
            camera: Self.raw + " ! videoconvert ! openh264enc gop-size=15 ! h264parse ! video/x-h264")
        #expect(read.obstacle == "its frames depend on others; source.ring lets it idle")
        #expect(read.numbers(.sample) == [] && read.arrived == 60 && read.numbers.last == 60)
    }
}
