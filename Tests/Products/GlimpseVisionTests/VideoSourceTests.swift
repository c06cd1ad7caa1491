// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import GlimpseVision
import Synchronization
import Testing

/// Sources as a program that embeds the library opens them, and runs of detectors on them.
@Suite struct VideoSourceTests {
    /// The calls to the trackers of a run.
    private final class Calls: Sendable {
        let all = Mutex<[String]>([])

        func tracker(_ detector: String) -> any FeatureTracker { Follower(self, detector) }

        private final class Follower: FeatureTracker {
            private let calls: Calls
            private let detector: String

            init(_ calls: Calls, _ detector: String) { (self.calls, self.detector) = (calls, detector) }

            func detected(_ track: Track, in results: DetectionResults) { note("detected", track) }
            func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) {
                note("completed", track)
            }

            private func note(_ phase: String, _ track: Track) {
                calls.all.withLock { $0.append("\(phase) \(detector) \(track.id)") }
            }
        }
    }

    /// Every frame goes through every detector, and every track has ended when the run returns.
    @Test func aCountedSourceGivesEveryTrackItsEnd() async throws {
        let calls = Calls()
        let detector = MultiDetector([.face(), .barcode()]) { _, name in calls.tracker(name) }
        try await detector.run(.test(frames: 60))
        #expect(detector.metrics.map { $0[.processed] } == [60, 60])
        let all = calls.all.withLock(\.self)
        let (begun, ended) = (all.filter { $0.hasPrefix("detected") }, all.filter { $0.hasPrefix("completed") })
        #expect(begun.contains("detected face 1") && begun.contains("detected barcode 1"), "\(all)")
        #expect(Set(begun.map { $0.dropFirst("detected".count) }) == Set(ended.map { $0.dropFirst("completed".count) }))
    }

    /// An endless source ends with its task.
    @Test func aCancelledTaskEndsTheRun() async throws {
        let calls = Calls()
        let detector = MultiDetector([.barcode()]) { _, name in calls.tracker(name) }
        let run = Task { try await detector.run(.test()) }
        #expect(await holds { calls.all.withLock { !$0.isEmpty } })
        run.cancel()
        try await run.value
        let all = calls.all.withLock(\.self)
        #expect(all.count { $0.hasPrefix("detected") } == all.count { $0.hasPrefix("completed") })
    }

    @Test(.enabled(if: RTSPServer.isAvailable, "needs python3-gi and gir1.2-gst-rtsp-server-1.0"))
    func aNetworkCameraWithAPasswordIsDetected() async throws {
        let server = await RTSPServer()
        let password = TestScope()
        let camera = try VideoSource.rtsp(
            server.url, user: RTSPServer.user, password: .file(password.write("password", "geheim42\n")))
        let detector = MultiDetector([.barcode()]) { _, _ in nil }
        let run = Task { try await detector.run(camera) }
        #expect(await holds { detector.metrics[0][.processed] > 0 })
        run.cancel()
        try await run.value
    }

    @Test(arguments: [
        (VideoSource.file("/nowhere/clip.mp4"), SourceError.Kind.missing, "/nowhere/clip.mp4"),
        (.v4l2("/dev/video-of-nobody"), .missing, "/dev/video-of-nobody"),
        (.images("/nowhere"), .missing, "/nowhere"),
        (.launch("nosuchelement"), .notInstalled, "nosuchelement"),
    ])
    func aSourceThatCannotBeOpenedSaysWhy(source: VideoSource, kind: SourceError.Kind, says: String) async {
        let error = await #expect(throws: SourceError.self) {
            try await MultiDetector([.barcode()]) { _, _ in nil }.run(source)
        }
        #expect(error?.kind == kind && error?.description.contains(says) == true, "\(String(describing: error))")
    }

    @Test func anInvalidSourceIsRefused() throws {
        for argument in ["", "rtsp://user:secret@camera/", "http://"] {
            let error = #expect(throws: SourceError.self) { try VideoSource.open(argument) }
            #expect(error?.kind == .misconfigured && error?.description.contains("secret") == false)
        }
        #expect(throws: SourceError.self) { try VideoSource.rtsp("http://camera/") }
        #expect(throws: SourceError.self) { try VideoSource.rtsp("rtsp://camera/", user: "me") }
        var source = VideoSource.test()
        source.width = 0
        let error = #expect(throws: SourceError.self) { try source.makeSource() }
        #expect(error?.description == "width must be 1 to 16384, not 0")
    }

    /// Camera addresses may hold a password in their path.
    @Test func theDescriptionOfASourceHoldsNoAddress() throws {
        let camera = try VideoSource.rtsp("rtsp://camera.example/secret", user: "me", password: .environment("X"))
        #expect("\(camera)" == "rtsp rtsp://camera.example")
    }
}
