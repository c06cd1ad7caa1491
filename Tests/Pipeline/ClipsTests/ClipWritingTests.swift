// SPDX-License-Identifier: Apache-2.0
import EventLines
import Foundation
import Frames
import GlimpseTesting
import PictureStorage
import Settings
import Testing

@testable import Clips
@testable import GStreamerSource

@Suite struct ClipWritingTests {
    private let scope = TestScope()

    /// One turn ends a clip and begins the next one, and later turns go on with that.
    @Test(arguments: [[], [1_700_000_000], [1_200_000_000, 1_700_000_000, 2_500_000_000]] as [[Int64]])
    func aVisitThatExceedsTheLongestClipGoesOnInFurtherClips(turns: [Int64]) throws {
        let film = try MediaMaker.film(
            scope.path("film.mkv"), frames: 90, encoding: "openh264enc gop-size=15 ! h264parse ! matroskamux")
        var settings = SourceSettings(kind: .file(path: film, pace: .realtime))
        settings.ring.duration = .seconds(60)
        let source = GStreamerSource(settings)
        try source.start()
        defer { source.stop() }
        let video = try #require(source.encodedVideo)
        let deadline = ContinuousClock.now + patience
        while video.fill.frames < 90, ContinuousClock.now < deadline { _ = source.next(timeout: .milliseconds(100)) }

        let folder = try ClipFolder(folder: scope.path("clips"), limits: PictureLimits())
        var (told, complaints) = ([ClipEvent](), [String]())
        let writing = ClipWriting(
            folder, video, ClipCutter(before: 1_000_000_000, maximumLength: 1_000_000_000),
            tell: { told.append($0) }, complain: { complaints.append($0) })
        var demand = ClipDemand([.kind(.face, label: nil)], after: 1_000_000_000)
        demand.take(.track(SampleEvents.trackEvent(.detected, .face, id: 7, frame: 1)))
        for limit in turns + [.max] { writing.write(demand, until: limit, shift: 0) { _ in [] } }
        writing.end()

        #expect(complaints.isEmpty && told.count == 3, "\(told) \(complaints)")
        #expect(told.reduce(0) { $0 + $1.frames } == video.frames(after: 0).count, "\(told)")
        let files = try FileManager.default.contentsOfDirectory(atPath: scope.path("clips"))
        #expect(files.count == 6 && !files.contains { $0.hasSuffix(".part") }, "\(files)")
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { number in
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return file?.hasPrefix(scope.path("clips")) == true
        }
        #expect(open.isEmpty)
    }
}
