import Assembly
import Frames
import Installation
import Settings

/// Where frames come from: a camera, a stream, a file, pictures. A description: nothing is opened before `MultiDetector.run` or `makeSource`.
///
/// A source that is live (a camera, a stream, an endless test picture) gives the newest frame; what the detectors cannot take is dropped and
/// counted. Of files every frame is detected.
public struct VideoSource: Sendable {
    private(set) var settings: SourceSettings

    init(_ settings: SourceSettings) { self.settings = settings }

    /// The source of a command-line argument.
    ///
    /// | argument | source |
    /// |---|---|
    /// | `rtsp://`, `rtsps://` | a network camera; no user and no password in the address |
    /// | `/dev/video0`, another character device | a camera |
    /// | a folder, a picture, `pictures/*.jpg` | pictures, in the order of their names |
    /// | `test:`, `test:PATTERN` | the built-in scene, or a pattern of `videotestsrc` |
    /// | another `scheme://` | what GStreamer's `uridecodebin` opens |
    /// | any other path, `file://` | a video file |
    ///
    /// - Throws: `SourceError` (`.misconfigured`) if the argument is none of these. A file that is missing is an error of `MultiDetector.run`.
    public static func open(_ argument: String) throws(SourceError) -> VideoSource {
        do throws(ConfigurationErrors) {
            return VideoSource(try SourceSettings.from(argument: argument))
        } catch {
            throw SourceError(.misconfigured, error.errors.map { $0.inProgram }.joined(separator: "; "))
        }
    }

    /// A camera's device, such as `/dev/video0` or `/dev/v4l/by-id/...`.
    public static func v4l2(_ device: String) -> VideoSource {
        VideoSource(SourceSettings(kind: .v4l2(device: device)))
    }

    /// A network camera by TCP.
    ///
    /// - Parameters:
    ///   - url: `rtsp://` or `rtsps://`, without user and password.
    ///   - user: needs `password`.
    /// - Throws: `SourceError` (`.misconfigured`) for another address.
    public static func rtsp(
        _ url: String, user: String? = nil, password: Password? = nil
    ) throws(SourceError) -> VideoSource {
        var settings = try open(url).settings
        guard case .rtsp(var camera) = settings.kind else {
            throw SourceError(.misconfigured, "the address of a network camera must begin with rtsp:// or rtsps://")
        }
        guard (user == nil) == (password == nil) else {
            throw SourceError(.misconfigured, "a network camera takes a user and a password, or neither of them")
        }
        (camera.user, camera.password) = (user, password?.source)
        settings.kind = .rtsp(camera)
        return VideoSource(settings)
    }

    /// A video file.
    ///
    /// - Parameters:
    ///   - loops: begins again at its end, for ever.
    ///   - isRealtime: plays like a camera: the newest frame wins.
    public static func file(_ path: String, loops: Bool = false, isRealtime: Bool = false) -> VideoSource {
        VideoSource(SourceSettings(kind: .file(path: path, loop: loops, pace: isRealtime ? .realtime : .fast)))
    }

    /// A picture, a folder of pictures, or a pattern such as `pictures/*.jpg`, in the order of the names. Parameters as of `file`.
    public static func images(_ path: String, loops: Bool = false, isRealtime: Bool = false) -> VideoSource {
        VideoSource(SourceSettings(kind: .images(path: path, loop: loops, pace: isRealtime ? .realtime : .fast)))
    }

    /// A test picture.
    ///
    /// - Parameters:
    ///   - pattern: `scene`, the built-in one with a face and three symbols, or a pattern of GStreamer's `videotestsrc`.
    ///   - frames: how many; 0: for ever, in real time.
    public static func test(_ pattern: String = "scene", frames: Int = 0) -> VideoSource {
        VideoSource(SourceSettings(kind: .test(pattern: pattern, frames: frames)))
    }

    /// A GStreamer pipeline's text that ends in raw video, such as `v4l2src ! videoconvert`.
    public static func launch(_ text: String) -> VideoSource { VideoSource(SourceSettings(kind: .launch(text))) }

    /// Where a camera's password is. The source itself never holds the password.
    public enum Password: Sendable, Equatable {
        /// The first line of this file.
        case file(String)
        /// This variable of the environment.
        case environment(String)
    }

    /// Pixels asked of a camera, a test picture or pictures; nil: their own. 1...16384.
    public var width: Int? {
        get { settings.width }
        set { settings.width = newValue }
    }
    /// Pixels, as `width`.
    public var height: Int? {
        get { settings.height }
        set { settings.height = newValue }
    }
    /// Frames per second asked of the source; nil: its own. 1...1000000.
    public var framesPerSecond: Int? {
        get { settings.fps.map { $0.numerator / $0.denominator } }
        set { settings.fps = newValue.map { FrameRate($0) } }
    }
    /// Degrees clockwise that make the picture upright: 0, 90, 180 or 270; nil: what the stream's own tag says.
    public var rotation: Int? {
        get { if case .fixed(let degrees) = settings.rotation { degrees.rawValue } else { nil } }
        set { settings.rotation = newValue.flatMap(RotationSetting.Degrees.init).map { .fixed($0) } ?? .auto }
    }
    /// Whether left and right are flipped, after the rotation.
    public var isMirrored: Bool {
        get { settings.mirror }
        set { settings.mirror = newValue }
    }
    /// The first frame and then each n-th one is detected. 1...1000.
    public var every: Int {
        get { settings.every }
        set { settings.every = newValue }
    }
    /// A live source without a frame for twice this time is lost. A millisecond to a year.
    public var stallLimit: Duration {
        get { settings.stallLimit }
        set { settings.stallLimit = newValue }
    }

    /// Makes the source, for a program that takes the frames itself. The thread that calls its `start` uses it.
    ///
    /// - Throws: `SourceError` (`.misconfigured`) for values out of range; as `SourceError.Kind` says, if the source cannot be made.
    public func makeSource() throws(SourceError) -> any FrameSource {
        do throws(ConfigurationErrors) {
            try settings.validate()
        } catch {
            throw SourceError(.misconfigured, error.errors.map { $0.inProgram }.joined(separator: "; "))
        }
        return try settings.makeSource(resources: .ofThisProgram)
    }
}

extension VideoSource.Password {
    fileprivate var source: PasswordSource {
        switch self {
        case .file(let path): .file(path)
        case .environment(let variable): .environment(variable)
        }
    }
}

/// The description has no address and no pipeline text in it: both may hold a password.
extension VideoSource: CustomStringConvertible {
    public var description: String { settings.kind.description }
}

extension MultiDetector {
    /// Runs the detectors on a source's frames until the source ends or the task is cancelled. Every track has ended when it returns.
    ///
    /// The source and the hand-over run on a thread of their own. Each detector runs on its thread.
    ///
    /// - Throws: `DetectorError` if a detector cannot work on this machine, before the source is opened; `SourceError` if the source fails.
    public func run(_ source: VideoSource) async throws {
        let settings = source.settings
        try await run(
            delivery: settings.pace == .realtime ? .newest : .every, stallLimit: settings.stallLimit,
            every: settings.every
        ) { () throws(SourceError) in
            try source.makeSource()
        }
    }
}
