// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Frames

/// The pictures that a path means: itself, those in a folder, or those that match a glob; by ascending name.
package enum PictureFiles {
    private static let suffixes: Set<String> = [
        "png", "jpg", "jpeg", "webp", "bmp", "gif", "tif", "tiff", "ppm", "pgm", "pbm", "pnm",
    ]

    package static func find(_ path: String) throws(SourceError) -> [String] {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
            let pictures = matches("\(escaped(path))/*").filter(isPicture)
            guard !pictures.isEmpty else { throw SourceError(.missing, "\(path): has no pictures in it") }
            return pictures
        }
        let found = matches(path)
        guard !found.isEmpty else {
            throw SourceError(.missing, "\(path): there is no such file, folder or match")
        }
        return found
    }

    private static func isPicture(_ path: String) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        return suffixes.contains(path[path.index(after: dot)...].lowercased())
    }

    private static func matches(_ pattern: String) -> [String] {
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, 0, nil, &result) == 0 else { return [] }
        return (0..<Int(result.gl_pathc)).compactMap { result.gl_pathv[$0].map { String(cString: $0) } }.sorted()
    }

    private static func escaped(_ path: String) -> String {
        path.map { "*?[\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
