// SPDX-License-Identifier: Apache-2.0
import Glibc
import EventLog
import Observations

/// The files of a state folder beside the journal, which `glimpsed forget` removes: pictures, clips, crash frames,
/// tapes, and databases that were moved aside.
package struct StateFiles {
    private let folder: String
    private let selection: ForgetSelection
    private var counts = ForgottenCounts()

    /// Removes the selected files. A repeated call removes what an interrupted one has left.
    ///
    /// - Returns: the numbers of removed files, or the first error.
    package static func forget(
        _ selection: ForgetSelection, folder: String
    ) -> Result<ForgottenCounts, JournalError> {
        var files = StateFiles(folder: folder, selection: selection)
        do throws(JournalError) {
            try files.forgetPictures()
            try files.forgetClips()
            try files.forgetCrashFrames()
            try files.forgetWholeFiles(folder, depth: 0)
            return .success(files.counts)
        } catch {
            return .failure(error)
        }
    }

    private init(folder: String, selection: ForgetSelection) {
        (self.folder, self.selection) = (folder, selection)
    }

    /// Pictures are `snapshots/PIPELINE/TIME-DETECTOR-TRACK-RULE.jpg`, and `snapshots/PIPELINE.jpg` for the command. A
    /// file whose name begins with a dot is incomplete. A worker that is writing it reports that the picture failed.
    private mutating func forgetPictures() throws(JournalError) {
        let pictures = "\(folder)/snapshots"
        for entry in Self.entries(pictures) {
            if entry.isFolder {
                if let wanted = selection.pipeline, wanted != entry.name { continue }
                for file in Self.entries(entry.path) where file.isFile && isOfTrack(file.name) { try remove(file) }
            } else if entry.isFile, selection.detector == nil, selection.track == nil {
                let pipeline = entry.name.split(separator: ".").first.map(String.init)
                if selection.pipeline == nil || selection.pipeline == pipeline { try remove(entry) }
            }
        }
    }

    private func isOfTrack(_ name: String) -> Bool {
        guard selection.detector != nil || selection.track != nil else { return true }
        // A detector's name can contain hyphens: TIME has none.
        let parts = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, let track = UInt64(parts[parts.count - 2]) else { return false }
        return selection.takes(
            pipeline: selection.pipeline, detector: parts[1..<(parts.count - 2)].joined(separator: "-"), track: track)
    }

    private mutating func remove(_ file: Entry) throws(JournalError) {
        if try delete(file), file.name.hasSuffix(".jpg") { counts.pictures += 1 }
    }

    /// Clips are `clips/PIPELINE/TIME-SEQ.mp4`, with files of other suffixes beside them. A worker gives up a clip
    /// whose file is gone.
    private mutating func forgetClips() throws(JournalError) {
        guard selection.detector == nil, selection.track == nil else { return }
        for entry in Self.entries("\(folder)/clips") where entry.isFolder {
            if let wanted = selection.pipeline, wanted != entry.name { continue }
            for file in Self.entries(entry.path) where file.isFile {
                if try delete(file), file.name.hasSuffix(".mp4") { counts.clips += 1 }
            }
        }
    }

    /// Crash frames are `crashes/PIPELINE-SECONDS.y4m`, and `crashes/.PIPELINE.y4m` while the worker runs.
    private mutating func forgetCrashFrames() throws(JournalError) {
        guard selection.detector == nil, selection.track == nil else { return }
        for file in Self.entries("\(folder)/crashes") where file.isFile && file.name.hasSuffix(".y4m") {
            let stem = String(file.name.dropLast(".y4m".count))
            let pipeline =
                stem.hasPrefix(".")
                ? String(stem.dropFirst()) : stem.split(separator: "-").dropLast().joined(separator: "-")
            if let wanted = selection.pipeline, wanted != pipeline { continue }
            if try delete(file) { counts.crashFrames += 1 }
        }
    }

    /// Tapes and moved-aside databases, which go whole or not at all.
    private mutating func forgetWholeFiles(_ folder: String, depth: Int) throws(JournalError) {
        for entry in Self.entries(folder) {
            if entry.isFolder, depth < 8,
                depth > 0 || !["snapshots", "clips", "crashes", "models"].contains(entry.name)
            {
                try forgetWholeFiles(entry.path, depth: depth + 1)
            }
            guard entry.isFile else { continue }
            let isDatabase = depth == 0 && Self.isMovedAside(entry.name)
            guard isDatabase || Self.isTape(entry.path) else { continue }
            guard selection.isOnlyByTime, try delete(entry) else {
                counts.kept += 1
                continue
            }
            if !isDatabase { counts.tapes += 1 } else if entry.name.hasSuffix(".sqlite") { counts.databases += 1 }
        }
    }

    private static func isMovedAside(_ name: String) -> Bool {
        (name.hasPrefix("journal.damaged.") || name.hasPrefix("journal.version")) && name.contains(".sqlite")
    }

    private static func isTape(_ path: String) -> Bool {
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        let magic = Array("glimpse tape ".utf8)
        var bytes = [UInt8](repeating: 0, count: magic.count)
        return fread(&bytes, 1, bytes.count, file) == bytes.count && bytes == magic
    }

    // MARK: Files

    private struct Entry {
        var name: String
        var path: String
        var isFile: Bool
        var isFolder: Bool
        var written: Timestamp
    }

    /// - Returns: false if the file was written at or after the selected time.
    private func delete(_ file: Entry) throws(JournalError) -> Bool {
        guard selection.takes(recorded: file.written) else { return false }
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw JournalError("cannot remove \(file.path): \(words(errno))")
        }
        return true
    }

    /// The entries of a folder; none if it does not exist. A symbolic link is neither a file nor a folder.
    private static func entries(_ folder: String) -> [Entry] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            let path = "\(folder)/\(name)"
            guard name != ".", name != "..", lstat(path, &status) == 0 else { continue }
            let time = status.st_mtim
            entries.append(
                Entry(
                    name: name, path: path, isFile: status.st_mode & S_IFMT == S_IFREG,
                    isFolder: status.st_mode & S_IFMT == S_IFDIR,
                    written: Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))))
        }
        return entries
    }
}
