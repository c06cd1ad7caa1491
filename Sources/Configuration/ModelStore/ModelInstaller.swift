// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTPClient
import ModelCatalog

/// Brings a model's files into a folder: each file is complete and verified, or absent.
///
/// The part of an interrupted download is kept beside the file and continued, in this run or in the next. Blocking; any
/// thread.
package struct ModelInstaller: Sendable {
    package enum Origin: Sendable, Equatable {
        /// The files' own addresses.
        case network
        case folder(String)
    }

    /// How far one file is.
    package struct Progress: Sendable, Equatable {
        package var file: String
        package var bytes: Int
        /// nil: nobody has said.
        package var total: Int?
    }

    package let folder: String
    package let origin: Origin
    /// Tries in a row that bring nothing before a download has failed.
    package var tries = 5
    /// Before the second try; doubled for each further one.
    package var pause = Duration.seconds(1)
    /// Without a byte.
    package var idleLimit = Duration.seconds(30)

    /// - Parameter folder: made when it is missing.
    package init(folder: String, origin: Origin) {
        self.folder = folder
        self.origin = origin
    }

    /// Whether anything had to be done: a file that is there and right is left alone.
    @discardableResult
    package func install(
        _ file: ModelFile, progress: (Progress) -> Void = { _ in }
    ) throws(ModelStoreError) -> Bool {
        guard let expected = file.sha256 else { throw .noHash(file.name) }
        try makeFolder()
        if let there = InstalledFile(file, in: folder), try there.problem() == nil { return false }
        let part = try PartFile(of: file.name, in: folder)
        switch origin {
        case .folder(let source):
            do throws(ModelStoreError) {
                try part.restart()
                try copy(file, from: "\(source)/\(file.name)", to: part, progress)
                try check(part, is: file, expected, origin: "\(source)/\(file.name)")
            } catch {
                part.remove()
                throw error
            }
        case .network:
            try download(file, expected, to: part, progress)
        }
        try part.commit()
        return true
    }

    private func download(
        _ file: ModelFile, _ expected: String, to part: PartFile, _ progress: (Progress) -> Void
    ) throws(ModelStoreError) {
        guard let url = file.url else {
            part.remove()
            throw .noOrigin(file.name)
        }
        let wasBegun = part.size > 0
        let download = Download(
            file: file, url: url, tries: tries, pause: pause, idleLimit: idleLimit)
        do throws(ModelStoreError) {
            try download.run(into: part, progress)
            guard wasBegun, part.hash.hexDigest() != expected else {
                return try check(part, is: file, expected, origin: url)
            }
            // The beginning may have been another file's.
            try part.restart()
            try download.run(into: part, progress)
            try check(part, is: file, expected, origin: url)
        } catch {
            switch error {
            case .wrongHash, .wrongSize: part.remove()
            default: if part.size == 0 { part.remove() }
            }
            throw error
        }
    }

    private func copy(
        _ file: ModelFile, from path: String, to part: PartFile, _ progress: (Progress) -> Void
    ) throws(ModelStoreError) {
        let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard source >= 0 else {
            throw errno == ENOENT ? .notFound(path) : .unreadable(path, reason: String(cString: strerror(errno)))
        }
        defer { close(source) }
        try PartFile.readAll(source, path) { (bytes) throws(ModelStoreError) in
            try part.append(bytes)
            progress(Progress(file: file.name, bytes: part.size, total: file.bytes))
        }
    }

    private func check(
        _ part: PartFile, is file: ModelFile, _ expected: String, origin: String
    ) throws(ModelStoreError) {
        let actual = part.hash.hexDigest()
        guard actual == expected else { throw .wrongHash(origin: origin, expected: expected, actual: actual) }
        if let bytes = file.bytes, bytes != part.size {
            throw .wrongSize(origin: origin, expected: bytes, actual: part.size)
        }
    }

    private func makeFolder() throws(ModelStoreError) {
        var path = ""
        for name in folder.split(separator: "/", omittingEmptySubsequences: false) {
            path += path.isEmpty && !folder.hasPrefix("/") ? name : "/\(name)"
            if !name.isEmpty, mkdir(path, 0o755) != 0, errno != EEXIST, errno != EISDIR {
                throw .unwritable(path, reason: String(cString: strerror(errno)))
            }
        }
    }
}
