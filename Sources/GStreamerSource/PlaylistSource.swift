import Frames
import Observations
import Settings

/// Files one after the other as one stream: a folder of pictures, a glob, or a file that starts again at its end.
package final class PlaylistSource: FrameSource {
    /// A picture lasts so long unless `fps` says otherwise: a folder of pictures is a slide show.
    private static let picturesPerSecond = 1.0

    package let isLive: Bool
    private let settings: SourceSettings
    private let files: [String]
    private let loops: Bool
    private let epoch: UInt64
    private var index = 0
    private var current: GStreamerSource?
    private var framesOfCurrent = 0
    private var sequence: UInt64 = 0
    private var offset: Int64 = 0
    private var last: Int64 = 0

    /// Finds the files now. Throws when there are none.
    package init(_ settings: SourceSettings, epoch: UInt64 = 1) throws(SourceError) {
        self.settings = settings
        self.epoch = epoch
        isLive = settings.pace == .realtime
        switch settings.kind {
        case .file(let path, let loop, _): (files, loops) = ([path], loop)
        case .images(let path, let loop, _): (files, loops) = (try PictureFiles.find(path), loop)
        default: throw SourceError(.failed, "\(settings.kind.name) is no list of files")
        }
    }

    package func start() throws(SourceError) {
        try open(files[index])
    }

    package func next(timeout: Duration) -> SourceOutput {
        guard let current else { return .ended }
        switch current.next(timeout: timeout) {
        case .frame(let frame):
            framesOfCurrent += 1
            return .frame(renumbered(frame))
        case .nothing: return .nothing
        case .failed(let error): return .failed(error)
        case .ended: return advance()
        }
    }

    package func stop() {
        current?.stop()
        current = nil
    }

    private func open(_ file: String) throws(SourceError) {
        var settings = settings
        let isPicture: Bool
        if case .images = settings.kind { isPicture = true } else { isPicture = false }
        settings.kind = .file(path: file, loop: false, pace: settings.pace)
        let source = GStreamerSource(settings, epoch: epoch)
        try source.start()
        current = source
        framesOfCurrent = 0
        guard sequence > 0 else { return }
        offset = last + (isPicture ? pictureDuration : lastStep)
    }

    private func advance() -> SourceOutput {
        stop()
        if framesOfCurrent == 0 {
            return .failed(SourceError(.unreadable, "\(files[index]): gives no picture"))
        }
        index += 1
        if index == files.count {
            guard loops else { return .ended }
            index = 0
        }
        do {
            try open(files[index])
            return .nothing
        } catch {
            return .failed(error)
        }
    }

    private var pictureDuration: Int64 {
        guard let rate = settings.fps else { return Int64(1e9 / Self.picturesPerSecond) }
        return 1_000_000_000 * Int64(rate.denominator) / Int64(rate.numerator)
    }

    /// From the last frame of a file to the first of the next: what lay between the last two.
    private var lastStep: Int64 = 1_000_000_000 / 25

    /// The frame with its place in the whole stream.
    private func renumbered(_ frame: Frame) -> Frame {
        sequence += 1
        var info = frame.info
        let time = offset + info.presentationTime
        if framesOfCurrent > 1, time > last { lastStep = time - last }
        last = max(last, time)
        info.sequence = sequence
        info.presentationTime = time
        if info.clock == .file { info.time = Timestamp(nanoseconds: time) }
        return frame.with(info)
    }
}
