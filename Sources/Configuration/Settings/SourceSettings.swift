// SPDX-License-Identifier: Apache-2.0
import Observations

/// Where the frames come from: the `[source]` table.
package struct SourceSettings: Sendable, Equatable {
    package var kind = SourceKind.test()
    /// Pixels asked of the source; nil = its own. 1...16384.
    package var width: Int?
    package var height: Int?
    /// Asked of the source; nil = its own.
    package var fps: FrameRate?
    package var rotation = RotationSetting.auto
    /// Flip left and right, after the rotation.
    package var mirror = false
    /// Threads of a software video decoder; 0 = as many as there are processors. Each one more holds another few
    /// pictures and, for most formats, delays every frame by one. 0...64.
    package var decodeThreads = 1
    package var decoder = DecoderChoice.auto
    /// The detectors see every n-th frame. 1...1000.
    package var every = 1
    /// No frame for so long = stalled. More than zero.
    package var stallLimit = Duration.seconds(10)
    /// Spares detectors the frames that show them nothing new.
    package var gate = GateSettings()
    /// Open only while somebody subscribes.
    package var onDemand = false
    /// On demand: how long it stays open for nobody.
    package var linger = Duration.seconds(5)
    package var idling = IdleSettings()
    /// The encoded video in memory.
    package var ring = RingSettings()
    /// Painted into every frame. The `[[mask]]` tables of the pipeline.
    package var masks: [Mask] = []

    /// Whether the source goes on for ever, so that its end is a failure to be retried. Cameras, streams and an endless
    /// test picture are live, and so is `launch`, because nothing else is known about it. A file played in real time is
    /// not live: it ends.
    package var isLive: Bool {
        switch kind {
        case .v4l2, .rtsp, .launch: true
        case .test(_, let frames): frames == 0
        case .file, .images: false
        }
    }

    /// Whether every frame counts or only the newest. A test picture of a given number of frames is `fast`: all of
    /// them go through every detector, so that the output is reproducible.
    package var pace: Pace {
        switch kind {
        case .v4l2, .rtsp, .launch: .realtime
        case .test(_, let frames): frames == 0 ? .realtime : .fast
        case .file(_, _, let pace), .images(_, _, let pace): pace
        }
    }
}

extension SourceSettings {
    package init(
        kind: SourceKind, width: Int? = nil, height: Int? = nil, fps: FrameRate? = nil,
        rotation: RotationSetting = .auto, mirror: Bool = false, decodeThreads: Int = 1,
        every: Int = 1, stallLimit: Duration = .seconds(10), onDemand: Bool = false,
        linger: Duration = .seconds(5)
    ) {
        self.kind = kind
        self.width = width
        self.height = height
        self.fps = fps
        self.rotation = rotation
        self.mirror = mirror
        self.decodeThreads = decodeThreads
        self.every = every
        self.stallLimit = stallLimit
        self.onDemand = onDemand
        self.linger = linger
    }
}

/// The decoders of video that a source may use.
package enum DecoderChoice: String, Sendable, CaseIterable {
    /// GStreamer's own choice. The worker opens no device for it.
    case auto
    case software
    /// A graphics card, by VA-API.
    case va
    /// A decoder of the processor's maker, by Video4Linux.
    case v4l2
}

/// The `[source.gate]` table.
package struct GateSettings: Sendable, Equatable {
    package var enabled = true
    /// A detector runs at least once in this time. 100 ms...1 min.
    package var refresh = Duration.seconds(1)
}

/// `source.kind` with the keys that belong to it.
package enum SourceKind: Sendable, Equatable {
    /// A camera's device file, such as `/dev/video0` or `/dev/v4l/by-id/...`.
    case v4l2(device: String)
    case rtsp(RTSPSettings)
    /// A video file.
    case file(path: String, loop: Bool = false, pace: Pace = .fast)
    /// A picture, a folder of pictures, or a glob; by ascending name.
    case images(path: String, loop: Bool = false, pace: Pace = .fast)
    /// `scene` (the built-in moving scene) or a pattern of `videotestsrc`; `frames` 0 = endless.
    case test(pattern: String = "scene", frames: Int = 0)
    /// GStreamer pipeline text that ends in raw video; the appsink is ours. With a password it has `{password}` in it,
    /// where that is to be.
    case launch(String, password: PasswordSource? = nil)

    /// The word the file uses.
    package var name: String {
        switch self {
        case .v4l2: "v4l2"
        case .rtsp: "rtsp"
        case .file: "file"
        case .images: "images"
        case .test: "test"
        case .launch: "launch"
        }
    }
}

/// Prints no address and no pipeline text: both may hold a password. The full text is in the case's value.
extension SourceKind: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        switch self {
        case .v4l2(let device): "v4l2 \(device)"
        case .rtsp(let settings): "rtsp \(settings)"
        case .file(let path, _, _): "file \(path)"
        case .images(let path, _, _): "images \(path)"
        case .test(let pattern, _): "test \(pattern)"
        case .launch: "launch"
        }
    }

    package var debugDescription: String { description }
}

package enum Pace: String, Sendable, Equatable, CaseIterable {
    /// As fast as it can, every frame; time counts from the Unix epoch.
    case fast
    /// A live camera's behaviour: newest wins, the rest is dropped and counted.
    case realtime
}

/// Frames per second as an exact fraction, as GStreamer's caps want it: 15/1, 30000/1001.
package struct FrameRate: Sendable, Equatable {
    /// Both 1...1000000.
    package let numerator: Int
    package let denominator: Int

    package init(_ numerator: Int, _ denominator: Int = 1) {
        self.numerator = numerator
        self.denominator = denominator
    }
}

package enum RotationSetting: Sendable, Equatable {
    /// The rotation of the stream's own orientation tag.
    case auto
    /// So many degrees clockwise, whatever the tag says.
    case fixed(Degrees)

    package enum Degrees: Int, Sendable, CaseIterable {
        case zero = 0
        case ninety = 90
        case oneEighty = 180
        case twoSeventy = 270
    }
}
