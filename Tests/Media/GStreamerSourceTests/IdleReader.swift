// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Observations
import Settings
import Testing

@testable import GStreamerSource

/// Reads a source that may idle to its end, as `SourceWatch` does.
struct IdleReader {
    struct Seen {
        var info: FrameInfo
        var role: FrameRole
    }

    private(set) var frames: [Seen] = []
    private(set) var error: SourceError?
    private(set) var obstacle: String?
    private(set) var arrived: UInt64 = 0
    /// Whether the deadline passed before the source ended or failed.
    private(set) var isOverdue = true

    var numbers: [UInt64] { frames.map(\.info.sequence) }

    /// The frames that count as seen: a changed key frame comes again.
    func numbers(_ roles: FrameRole...) -> [UInt64] {
        frames.filter { roles.contains($0.role) }.map(\.info.sequence)
    }

    /// - Parameters:
    ///   - camera: GStreamer text in the place of a camera's device.
    ///   - changes: whether a frame differs from those before it.
    init(
        _ settings: SourceSettings, camera: String? = nil, changes: (FrameInfo) -> Bool = { _ in false }
    ) throws {
        let password = settings.kind.name == "rtsp" ? "geheim42" : nil
        let source = GStreamerSource(settings, password: password, camera: camera)
        try source.start()
        defer { source.stop() }
        let idling = try #require(source.idling)
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            switch source.next(timeout: .milliseconds(100)) {
            case .frame(let frame):
                frames.append(Seen(info: frame.info, role: frame.role))
                let isChanged = changes(frame.info)
                if frame.role == .glance { idling.answer(isChanged: isChanged) }
                idling.mayIdle(!isChanged)
            case .nothing: break
            case .ended: isOverdue = false
            case .failed(let error): (self.error, isOverdue) = (error, false)
            }
            (obstacle, arrived) = (idling.obstacle, idling.arrived)
            if !isOverdue { break }
        }
    }

    /// A frame's number is that of its place in the stream. Times count from the first frame that was read.
    func expectTrueNumbers(rate: Double, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let first = frames.first?.info.sequence else { return }
        for frame in frames {
            let place = UInt64((Double(frame.info.presentationTime) * rate / 1e9).rounded())
            #expect(first + place == frame.info.sequence, sourceLocation: sourceLocation)
        }
    }

    /// The settings of a camera's device that idles.
    static func settings(ring: Duration = .zero, bytes: Int = 16 << 20) -> SourceSettings {
        var settings = SourceSettings(kind: .v4l2(device: "/dev/video0"))
        settings.idling.mode = .keyframes
        (settings.ring.duration, settings.ring.bytes) = (ring, bytes)
        return settings
    }
}
