// SPDX-License-Identifier: Apache-2.0
import Assembly
import Frames
import Installation
import Settings

/// A description of a camera, a stream, a film or pictures. `MultiDetector.run` and `makeSource` open the source.
///
/// A camera, a stream and an endless test picture are live: the detectors receive the newest frame, and other frames
/// are dropped and counted. Every frame of a file is detected.
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
    /// - Throws: `SourceError` (`.misconfigured`) for any other argument. `MultiDetector.run` reports a missing file.
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

    /// A network camera over TCP.
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
    ///   - loops: whether the film begins again at its end.
    ///   - isRealtime: whether the film plays like a camera, at its own rate, and the newest frame wins.
    public static func file(_ path: String, loops: Bool = false, isRealtime: Bool = false) -> VideoSource {
        VideoSource(SourceSettings(kind: .file(path: path, loop: loops, pace: isRealtime ? .realtime : .fast)))
    }

    /// A picture, a folder of pictures, or a pattern such as `pictures/*.jpg`, in the order of the names.
    ///
    /// - Parameters:
    ///   - loops: whether the first picture follows the last one.
    ///   - isRealtime: whether the pictures come at their own rate, and the newest frame wins.
    public static func images(_ path: String, loops: Bool = false, isRealtime: Bool = false) -> VideoSource {
        VideoSource(SourceSettings(kind: .images(path: path, loop: loops, pace: isRealtime ? .realtime : .fast)))
    }

    /// A test picture.
    ///
    /// - Parameters:
    ///   - pattern: `scene` for the built-in scene with a face and three symbols, or a pattern of GStreamer's
    ///     `videotestsrc`.
    ///   - frames: number of frames. 0 makes the source endless and live.
    public static func test(_ pattern: String = "scene", frames: Int = 0) -> VideoSource {
        VideoSource(SourceSettings(kind: .test(pattern: pattern, frames: frames)))
    }

    /// A GStreamer pipeline's text that ends in raw video, such as `v4l2src ! videoconvert`.
    public static func launch(_ text: String) -> VideoSource { VideoSource(SourceSettings(kind: .launch(text))) }

    /// The place of a camera's password. The source itself never holds the password.
    public enum Password: Sendable, Equatable {
        /// The first line of this file.
        case file(String)
        /// This variable of the environment.
        case environment(String)
    }

    /// Width in pixels requested from a camera, a test picture or pictures, 1...16384. nil keeps their own width.
    public var width: Int? {
        get { settings.width }
        set { settings.width = newValue }
    }
    /// Height in pixels, as `width`.
    public var height: Int? {
        get { settings.height }
        set { settings.height = newValue }
    }
    /// Frames per second requested from the source, 1...1000000. nil keeps its own rate.
    public var framesPerSecond: Int? {
        get { settings.fps.map { $0.numerator / $0.denominator } }
        set { settings.fps = newValue.map { FrameRate($0) } }
    }
    /// Degrees clockwise that make the picture upright: 0, 90, 180 or 270. nil uses the tag of the stream.
    public var rotation: Int? {
        get { if case .fixed(let degrees) = settings.rotation { degrees.rawValue } else { nil } }
        set { settings.rotation = newValue.flatMap(RotationSetting.Degrees.init).map { .fixed($0) } ?? .auto }
    }
    /// Whether left and right are flipped, after the rotation.
    public var isMirrored: Bool {
        get { settings.mirror }
        set { settings.mirror = newValue }
    }
    /// The first frame and then each n-th frame is detected, 1...1000.
    public var every: Int {
        get { settings.every }
        set { settings.every = newValue }
    }
    /// A live source without a frame for twice this time is lost, a millisecond to a year.
    public var stallLimit: Duration {
        get { settings.stallLimit }
        set { settings.stallLimit = newValue }
    }

    /// Makes the source, for a program that takes the frames itself. One thread uses the source.
    ///
    /// - Throws: `SourceError`. Its kind is `.misconfigured` if a value is out of range.
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

/// The description contains no address and no pipeline text, because both may contain a password.
extension VideoSource: CustomStringConvertible {
    /// The kind of the source, such as `rtsp`.
    public var description: String { settings.kind.description }
}

extension MultiDetector {
    /// Runs the detectors on the frames of a source until the source ends or the task is cancelled.
    ///
    /// The source runs on a thread of its own, and so does each detector. Every track has been completed when this
    /// method returns.
    ///
    /// - Throws: `DetectorError` if a detector cannot work on this machine, before the source is opened. `SourceError`
    ///   if the source fails.
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
