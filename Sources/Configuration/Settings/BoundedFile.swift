// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Reading of small files and folders, with errors in a person's words.
package enum BoundedFile {
    /// Configuration is written by hand: a kilobyte or two.
    static let limit = 1 << 20

    /// - Throws: a `ConfigurationErrors` with one error: missing, a folder, no permission, over `limit`.
    package static func bytes(of path: String) throws(ConfigurationErrors) -> [UInt8] {
        // Not blocking: opening a pipe that nobody writes to would never return.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(path, EISDIR) }
        _ = fcntl(descriptor, F_SETFL, O_RDONLY)

        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path, errno)
            }
            bytes += buffer[..<count]
        }
        throw ConfigurationErrors([
            .init(
                file: path, problem: "larger than \(Units.text(byteCount: limit))", suggestion: "is it configuration?")
        ])
    }

    /// The names in a folder, sorted.
    static func names(inFolder path: String) throws(ConfigurationErrors) -> [String] {
        guard let folder = opendir(path) else { throw failure(path, errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { name in
                    String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.sorted()
    }

    /// The paths of a folder's `*.toml`, sorted; none if it cannot be read.
    package static func tomlFiles(inFolder path: String) -> [String] {
        let names = (try? names(inFolder: path)) ?? []
        return names.filter { FilePath.suffix(of: $0) == "toml" && !$0.hasPrefix(".") }.map {
            FilePath.join(path, $0)
        }
    }

    enum Kind {
        case file, folder, device, absent
    }

    /// The kind of the file at a path, after links. An inaccessible file counts as absent.
    static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .absent }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFCHR: return .device
        default: return .file
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> ConfigurationErrors {
        let (problem, suggestion) = reason(code)
        return ConfigurationErrors([.init(file: path, problem: problem, suggestion: suggestion)])
    }

    static func reason(_ code: Int32) -> (problem: String, suggestion: String?) {
        switch code {
        case ENOENT: ("there is no such file or folder", nil)
        case ENOTDIR: ("a part of the path is not a folder", nil)
        case EISDIR: ("is a folder", "give the file in it")
        case EACCES, EPERM: ("no permission to read it", "let the user that glimpsed runs as read it")
        default: ("cannot be read: \(String(cString: strerror(code)))", nil)
        }
    }
}
