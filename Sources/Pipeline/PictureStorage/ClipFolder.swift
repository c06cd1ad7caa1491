// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import FragmentedVideo
import Observations

/// A folder of clips: `NAME.mp4`, and `NAME.jsonl` with its events. `ClipName` is the form of the names. Only one
/// thread at a time may use it.
///
/// Both files grow while the clip is written. `NAME.part` exists for the same time, and has the clip's reasons. So a
/// clip that a killed worker left is found, and its complete fragments are kept.
///
/// Files have the mode 0640, the folder 0750.
package final class ClipFolder {
    /// A complete clip.
    package struct Clip: Sendable, Equatable {
        package var file: String
        package var events: String
        /// The times of the first frame.
        package var name: ClipName
        package var to: Timestamp
        package var frames: Int
        package var bytes: Int
        package var reasons: [String]
    }

    private struct Open {
        var name: String
        var video: Int32
        var events: Int32
        var bytes = 0
    }

    private static let suffixes = [".mp4", ".jsonl", ".part"]

    package let folder: String
    private let limits: PictureLimits
    private var shelf = PictureShelf()
    private var open: Open?
    /// The names of clips that a killed worker left.
    private var unfinished: [String] = []

    /// Creates the folder if needed and scans it.
    package init(folder: String, limits: PictureLimits, now: Timestamp = .wallClock) throws(PictureError) {
        self.folder = folder
        self.limits = limits
        if mkdir(folder, 0o750) != 0, errno != EEXIST { throw PictureError(folder) }
        try scan()
        tidy(now: now)
    }

    deinit { closeFiles() }

    package var isEmpty: Bool { shelf.entries.isEmpty && unfinished.isEmpty }

    // MARK: Writing

    /// Begins a clip. An earlier one must be finished.
    package func begin(_ name: ClipName, reasons: [String]) throws(PictureError) {
        try note(name, reasons: reasons)
        let name = name.text
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let video = Glibc.open("\(folder)/\(name).mp4", flags, 0o640)
        let events = Glibc.open("\(folder)/\(name).jsonl", flags, 0o640)
        open = Open(name: name, video: video, events: events)
        guard video >= 0, events >= 0 else {
            let error = PictureError("\(folder)/\(name).mp4")
            closeFiles()
            remove(name)
            throw error
        }
    }

    /// Records the reasons of the clip, for the case that the worker is killed.
    package func note(_ name: ClipName, reasons: [String]) throws(PictureError) {
        let text = reasons.joined(separator: "\n")
        try PictureFile.write(Array(text.utf8), to: "\(folder)/\(name.text).part", isSynced: false)
    }

    package func write(_ video: [UInt8], events: [UInt8]) throws(PictureError) {
        guard let clip = open else { return }
        for (bytes, file) in [(video, clip.video), (events, clip.events)] where !bytes.isEmpty {
            guard bytes.withUnsafeBytes({ PictureFile.writeAll($0, to: file) }) else {
                throw PictureError("\(folder)/\(clip.name).mp4")
            }
        }
        open?.bytes += video.count + events.count
        tidy()
    }

    /// Whether the clip alone needs all the space for clips.
    package var isFull: Bool { open.map { $0.bytes >= limits.bytes } ?? false }

    /// Ends the clip that is being written.
    ///
    /// - Returns: nil if it has no complete fragment, or if its file is gone.
    package func finish() -> Clip? {
        guard let clip = open else { return nil }
        closeFiles()
        return complete(clip.name)
    }

    /// Completes the clips that a killed worker left.
    package func recover() -> [Clip] {
        let names = unfinished.sorted()
        unfinished = []
        return names.compactMap { complete($0) }
    }

    private func closeFiles() {
        guard let clip = open else { return }
        if clip.video >= 0 {
            fdatasync(clip.video)
            close(clip.video)
        }
        if clip.events >= 0 { close(clip.events) }
        open = nil
    }

    /// Cuts the files behind the last complete fragment and the last complete line.
    private func complete(_ name: String) -> Clip? {
        let (path, events, part) = ("\(folder)/\(name).mp4", "\(folder)/\(name).jsonl", "\(folder)/\(name).part")
        guard let video = FragmentedFile(path), video.frames > 0, truncate(path, off_t(video.bytes)) == 0,
            let reasons = Self.text(of: part)?.split(separator: "\n").map(String.init), let clip = ClipName(name),
            access(events, F_OK) == 0
        else {
            remove(name)
            return nil
        }
        let lines = Self.cutLines(events)
        unlink(part)
        shelf.add(.init(name: name, bytes: video.bytes + lines, written: .wallClock))
        tidy()
        return Clip(
            file: path, events: events, name: clip, to: clip.from.advanced(byNanoseconds: video.duration),
            frames: video.frames, bytes: video.bytes, reasons: reasons)
    }

    /// - Returns: the size of the complete lines.
    private static func cutLines(_ path: String) -> Int {
        guard let bytes = bytes(of: path) else { return 0 }
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        if end < bytes.count { truncate(path, off_t(end)) }
        return end
    }

    // MARK: Limits

    /// Deletes the oldest clips that exceed the limits. The clip that is being written counts and stays.
    package func tidy(now: Timestamp = .wallClock) {
        var limits = limits
        limits.bytes = max(0, limits.bytes - (open?.bytes ?? 0))
        for entry in shelf.evict(limits, provisionalAge: limits.age, at: now) { remove(entry.name) }
    }

    private func remove(_ name: String) { for suffix in Self.suffixes { unlink("\(folder)/\(name)\(suffix)") } }

    private func scan() throws(PictureError) {
        guard let directory = opendir(folder) else { throw PictureError(folder) }
        defer { closedir(directory) }
        var clips: [String: (bytes: Int, written: Timestamp, hasVideo: Bool, isPart: Bool)] = [:]
        while let entry = readdir(directory) {
            let file = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !file.hasPrefix("."), let suffix = Self.suffixes.first(where: { file.hasSuffix($0) }) else {
                continue
            }
            var status = stat()
            guard lstat("\(folder)/\(file)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            var clip = clips[String(file.dropLast(suffix.count))] ?? (0, .epoch, false, false)
            let time = Timestamp(
                nanoseconds: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
            (clip.bytes, clip.written) = (clip.bytes + Int(status.st_size), max(clip.written, time))
            if suffix == ".mp4" { clip.hasVideo = true } else if suffix == ".part" { clip.isPart = true }
            clips[String(file.dropLast(suffix.count))] = clip
        }
        for (name, clip) in clips {
            if clip.isPart {
                unfinished.append(name)
            } else if clip.hasVideo {
                shelf.add(.init(name: name, bytes: clip.bytes, written: clip.written))
            } else {
                remove(name)
            }
        }
    }

    private static func bytes(of path: String) -> [UInt8]? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(file, 0, SEEK_END))))
        let count = pread(file, &bytes, bytes.count, 0)
        return count == bytes.count ? bytes : nil
    }

    private static func text(of path: String) -> String? { bytes(of: path).map { String(decoding: $0, as: UTF8.self) } }
}
