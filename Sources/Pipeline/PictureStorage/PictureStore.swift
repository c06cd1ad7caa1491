#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// A folder of pictures: `NAME.jpg` with `NAME.json` beside it. Used by one thread at a time.
///
/// A picture has its name only when it is whole: it is written to `.NAME.jpg.part`, synced (`fdatasync`) and renamed, its metadata before it. So what
/// a line names outlives a kill of the process, and once the kernel has written the folder, a loss of power. Files are of mode 0640, the folder 0750.
package final class PictureStore {
    package let folder: String
    private let limits: PictureLimits
    /// How long what nobody accepted is kept; nil: nothing has to be accepted.
    private let provisionalAge: Duration?
    package private(set) var shelf: PictureShelf
    /// Pictures that the limits took away.
    package private(set) var evicted = 0

    /// Makes the folder if it is not there, looks at what is in it, removes what a process that died left half written, and deletes what
    /// the limits leave no room for.
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

    /// Writes a picture, in place of one of the same name, and makes room for it.
    ///
    /// - Parameters:
    ///   - name: without a slash, not beginning with a dot.
    ///   - metadata: JSON.
    /// - Returns: the picture's path.
    package func add(
        _ name: String, jpeg: [UInt8], metadata: [UInt8], now: Timestamp = .wallClock
    ) throws(PictureError) -> String {
        precondition(!name.contains("/") && !name.hasPrefix("."), "a picture's name is a file's")
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

    /// Deletes a picture that no line has named.
    package func discard(_ name: String) {
        shelf.remove(name)
        delete(name)
    }

    /// Deletes what has become too old.
    package func tidy(now: Timestamp = .wallClock) {
        let age = provisionalAge ?? limits.age
        for entry in shelf.evict(limits, provisionalAge: age, at: now) {
            // Somebody may have accepted it since.
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
        // The picture first: metadata without one is removed at the next start.
        for suffix in [".jpg", ".json", ".saved"] { unlink("\(folder)/\(name)\(suffix)") }
    }

    /// What is in a folder. Deletes parts, and metadata and marks without a picture.
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
    /// Now, as files are stamped.
    package static var wallClock: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
