// SPDX-License-Identifier: Apache-2.0
import Glibc
import NIOCore

/// The files of the page, read once when the program starts.
package struct PageFiles: Sendable {
    package struct File: Sendable {
        package var type: String
        package var bytes: ByteBuffer
        /// Changes with the content.
        package var tag: String
    }

    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "json": "application/json",
        "webmanifest": "application/manifest+json",
    ]
    private static let largest = 4 << 20

    /// By the path of the request.
    private var files: [String: File] = [:]

    /// - Parameter folder: has `index.html`. Files with other endings than the page's are left out.
    /// - Throws: `Missing`.
    package init(folder: String) throws(Missing) {
        read(folder, "")
        guard let index = files["/index.html"] else { throw Missing(description: "\(folder): there is no index.html") }
        files["/"] = index
    }

    package subscript(path: String) -> File? { files[path] }

    private mutating func read(_ folder: String, _ place: String) {
        guard let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            let (path, request) = ("\(folder)/\(name)", "\(place)/\(name)")
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                if place.isEmpty, name != "tests" { read(path, request) }
            } else if let ending = name.split(separator: ".").last, let type = Self.types[String(ending)],
                status.st_size <= Self.largest, let bytes = Self.bytes(of: path)
            {
                files[request] = File(type: type, bytes: ByteBuffer(bytes: bytes), tag: "\"\(Self.hash(bytes))\"")
            }
        }
    }

    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            bytes += buffer[..<count]
        }
    }

    /// FNV-1a with 64 bits (Fowler, Noll, Vo): it tells versions of a file apart, and guards nothing.
    private static func hash(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}
