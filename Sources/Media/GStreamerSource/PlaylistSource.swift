// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations
import Settings

#if canImport(Glibc)
    import Glibc
#endif

/// Files one after the other as one stream: a folder of pictures, a glob, or a file that starts again at its end.
package final class PlaylistSource: FrameSource {
    /// A picture lasts so long unless `fps` says otherwise: a folder of pictures is a slide show.
    private static let picturesPerSecond = 1.0

    private let settings: SourceSettings
    private let files: [String]
    private let loops: Bool
    private let isSlideShow: Bool
    private let epoch: UInt64
    private var index = 0
    private var current: GStreamerSource?
    /// When the next picture of a slide show in real time is due.
    private var due = ContinuousClock.now
    /// The place of the current file in the whole stream.
    private var place = (sequence: UInt64(0), time: Int64(0))
    private var end = (sequence: UInt64(0), time: Int64(0))
    private var framesOfCurrent = 0
    /// From the last frame of a film to the first of the next: what lay between the last two.
    private var step: Int64

    /// Finds the files now. Throws if no file matches.
    package init(_ settings: SourceSettings, epoch: UInt64 = 1) throws(SourceError) {
        self.settings = settings
        self.epoch = epoch
        switch settings.kind {
        case .file(let path, let loop, _): (files, loops, isSlideShow) = ([path], loop, false)
        case .images(let path, let loop, _): (files, loops, isSlideShow) = (try PictureFiles.find(path), loop, true)
        default: throw SourceError(.failed, "\(settings.kind.name) is no list of files")
        }
        step = isSlideShow ? Self.pictureDuration(settings) : 1_000_000_000 / 25
    }

    package func start() throws(SourceError) {
        try open()
    }

    package func next(timeout: Duration) -> SourceOutput {
        guard index < files.count else { return .ended }
        guard let current else { return openWhenDue(timeout) }
        switch current.next(timeout: timeout) {
        case .frame(let frame): return .frame(renumbered(frame))
        case .nothing: return .nothing
        case .failed(let error): return .failed(error)
        case .ended:
            advance()
            return index < files.count ? .nothing : .ended
        }
    }

    package func stop() {
        current?.stop()
        current = nil
        index = files.count
    }

    private func open() throws(SourceError) {
        var settings = settings
        settings.kind = .file(path: files[index], loop: false, pace: settings.pace)
        let source = GStreamerSource(settings, epoch: epoch)
        try source.start()
        current = source
        framesOfCurrent = 0
        due += .nanoseconds(step)
    }

    private func openWhenDue(_ timeout: Duration) -> SourceOutput {
        if settings.pace == .realtime, isSlideShow, due > .now {
            var wait = timespec(min(timeout, due - .now))
            nanosleep(&wait, nil)
            guard due <= .now else { return .nothing }
        }
        do {
            try open()
            return .nothing
        } catch {
            return .failed(error)
        }
    }

    private func advance() {
        current?.stop()
        current = nil
        place = (end.sequence, end.time + step)
        index += 1
        if loops, index == files.count { index = 0 }
    }

    /// The frame with its place in the whole stream.
    private func renumbered(_ frame: Frame) -> Frame {
        framesOfCurrent += 1
        var info = frame.info
        info.sequence += place.sequence
        info.presentationTime += place.time
        if info.clock == .file { info.time = Timestamp(nanoseconds: info.presentationTime) }
        if framesOfCurrent > 1, !isSlideShow { step = max(1, info.presentationTime - end.time) }
        end = (info.sequence, info.presentationTime)
        return frame.with(info)
    }

    private static func pictureDuration(_ settings: SourceSettings) -> Int64 {
        guard let rate = settings.fps else { return Int64(1e9 / picturesPerSecond) }
        return 1_000_000_000 * Int64(rate.denominator) / Int64(rate.numerator)
    }
}

extension timespec {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
