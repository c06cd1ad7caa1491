// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import FragmentedVideo
import JSONLines
import Observations

/// The complete clips in a folder with a subfolder for each pipeline. Workers write there, so no name and no link in it
/// is trusted.
package enum StoredClips {
    package struct Clip: Sendable, Equatable {
        package var pipeline: String
        /// The name of the files without their suffixes.
        package var name: String
        package var from: Timestamp
        /// The presentation time of the first frame, in nanoseconds.
        package var presentationTime: Int64
        package var to: Timestamp
        package var frames: Int
        package var bytes: Int
    }

    /// A file of a clip.
    package enum Part: String, Sendable {
        case video = ".mp4"
        case events = ".jsonl"
    }

    /// The clips that begin in a range of time, newest first.
    ///
    /// - Parameter isWanted: decides about the clips of a pipeline.
    package static func list(
        in folder: String, _ range: Range<Timestamp>, limit: Int, isWanted: (_ pipeline: String) -> Bool
    ) -> [Clip] {
        var found: [(pipeline: String, file: String, name: ClipName)] = []
        for pipeline in names(in: folder) where isWanted(pipeline) {
            let files = Set(names(in: "\(folder)/\(pipeline)"))
            for file in files where file.hasSuffix(Part.video.rawValue) {
                let file = String(file.dropLast(Part.video.rawValue.count))
                guard let name = ClipName(file), range.contains(name.from), !files.contains("\(file).part"),
                    files.contains("\(file)\(Part.events.rawValue)")
                else { continue }
                found.append((pipeline, file, name))
            }
        }
        found.sort { ($0.name.from, $0.file) > ($1.name.from, $1.file) }
        return found.prefix(limit).compactMap { clip in
            let path = "\(folder)/\(clip.pipeline)/\(clip.file)\(Part.video.rawValue)"
            guard let video = FragmentedFile(path), video.frames > 0 else { return nil }
            return Clip(
                pipeline: clip.pipeline, name: clip.file, from: clip.name.from,
                presentationTime: clip.name.presentationTime,
                to: clip.name.from.advanced(byNanoseconds: video.duration), frames: video.frames, bytes: video.bytes)
        }
    }

    /// Opens a file of a complete clip for reading.
    ///
    /// - Returns: the descriptor, which the caller closes, and the size; nil if there is no such file.
    package static func open(
        _ part: Part, of name: String, pipeline: String, in folder: String
    ) -> (descriptor: CInt, size: Int)? {
        guard isName(pipeline), isName(name), ClipName(name) != nil else { return nil }
        let directory = Glibc.open("\(folder)/\(pipeline)", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard directory >= 0 else { return nil }
        defer { close(directory) }
        guard faccessat(directory, "\(name).part", F_OK, AT_SYMLINK_NOFOLLOW) != 0 else { return nil }
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = openat(directory, "\(name)\(part.rawValue)", flags)
        guard file >= 0 else { return nil }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            return nil
        }
        return (file, Int(status.st_size))
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix(".") && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    /// The names in a folder that is no link; empty if it cannot be read.
    private static func names(in folder: String) -> [String] {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        guard let directory = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isName(name) { names.append(name) }
        }
        return names
    }
}
