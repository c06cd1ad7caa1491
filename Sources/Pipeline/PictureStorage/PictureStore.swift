// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// A folder of pictures: `NAME.jpg` with `NAME.json` beside it. Only one thread at a time may use it.
///
/// A picture appears under its name only when it is complete. It is written to `.NAME.jpg.part`, synced (`fdatasync`)
/// and renamed, after its metadata. So a picture named in an event line survives a kill of the process, and a power cut
/// once the kernel has written the folder.
///
/// Files have the mode 0640, the folder 0750.
package final class PictureStore {
    package let folder: String
    private let limits: PictureLimits
    /// The age up to which unaccepted pictures are kept; nil if acceptance is not required.
    private let provisionalAge: Duration?
    package private(set) var shelf: PictureShelf
    /// The number of pictures deleted because of the limits.
    package private(set) var evicted = 0

    /// Creates the folder if needed and scans it. Removes incomplete files of a dead process, and deletes pictures that
    /// exceed the limits.
    package init(
        folder: String, limits: PictureLimits, provisionalAge: Duration? = nil, now: Timestamp = .wallClock
    ) throws(PictureError) {
        self.folder = folder
        self.limits = limits
        self.provisionalAge = provisionalAge
        if mkdir(folder, 0o750) != 0, errno != EEXIST { throw PictureError(folder) }
        shelf = PictureShelf(try Self.scan(folder, marksAccepted: provisionalAge != nil))
        tidy(now: now)
    }

    /// Writes a picture, in place of one with this name, and applies the limits.
    ///
    /// - Parameters:
    ///   - name: without a slash, not beginning with a dot.
    ///   - metadata: JSON.
    /// - Returns: the picture's path.
    package func add(
        _ name: String, jpeg: [UInt8], metadata: [UInt8], now: Timestamp = .wallClock
    ) throws(PictureError) -> String {
        precondition(!name.contains("/") && !name.hasPrefix("."), "a picture's name must be a file name")
        let path = path(name)
        try PictureFile.write(metadata, to: "\(folder)/\(name).json", isSynced: false)
        do throws(PictureError) {
            try PictureFile.write(jpeg, to: path)
        } catch {
            unlink("\(folder)/\(name).json")
            throw error
        }
        shelf.add(
            .init(
                name: name, bytes: jpeg.count + metadata.count, written: now, isProvisional: provisionalAge != nil))
        tidy(now: now)
        return path
    }

    package func path(_ name: String) -> String { "\(folder)/\(name).jpg" }

    /// Deletes a picture that no event line has named.
    package func discard(_ name: String) {
        shelf.remove(name)
        delete(name)
    }

    /// Deletes the pictures that exceed the limits.
    package func tidy(now: Timestamp = .wallClock) {
        let age = provisionalAge ?? limits.age
        for entry in shelf.evict(limits, provisionalAge: age, at: now) {
            // The picture may have been accepted since.
            if entry.isProvisional, access("\(folder)/\(entry.name).saved", F_OK) == 0,
                entry.written >= now.advanced(byNanoseconds: -limits.age.nanoseconds)
            {
                var kept = entry
                kept.isProvisional = false
                shelf.add(kept)
                continue
            }
            delete(entry.name)
            evicted += 1
        }
    }

    private func delete(_ name: String) {
        // The picture is deleted first; metadata without a picture are removed at the next start.
        for suffix in [".jpg", ".json", ".saved"] { unlink("\(folder)/\(name)\(suffix)") }
    }

    /// Scans a folder. Deletes partial files, and metadata and marks without a picture.
    private static func scan(_ folder: String, marksAccepted: Bool) throws(PictureError) -> [PictureShelf.Entry] {
        guard let directory = opendir(folder) else { throw PictureError(folder) }
        defer { closedir(directory) }
        var sizes: [String: (bytes: Int, written: Timestamp?, isSaved: Bool)] = [:]
        while let entry = readdir(directory) {
            let file = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if file.hasPrefix(".") {
                if file.hasSuffix(".part") { unlink("\(folder)/\(file)") }
                continue
            }
            var status = stat()
            guard lstat("\(folder)/\(file)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if let name = stem(file, ".jpg") {
                let time = status.st_mtim
                let written = Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
                sizes[name, default: (0, nil, false)].written = written
                sizes[name]?.bytes += Int(status.st_size)
            } else if let name = stem(file, ".json") {
                sizes[name, default: (0, nil, false)].bytes += Int(status.st_size)
            } else if let name = stem(file, ".saved") {
                sizes[name, default: (0, nil, false)].isSaved = true
            }
        }
        var entries: [PictureShelf.Entry] = []
        for (name, file) in sizes {
            if let written = file.written {
                entries.append(
                    .init(
                        name: name, bytes: file.bytes, written: written, isProvisional: marksAccepted && !file.isSaved))
            } else {
                unlink("\(folder)/\(name).json")
                unlink("\(folder)/\(name).saved")
            }
        }
        return entries
    }

    private static func stem(_ file: String, _ suffix: String) -> String? {
        file.hasSuffix(suffix) ? String(file.dropLast(suffix.count)) : nil
    }
}

extension Timestamp {
    /// The current time of the clock that stamps files.
    package static var wallClock: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
