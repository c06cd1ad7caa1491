// SPDX-License-Identifier: Apache-2.0
import Glibc
import SHA2

/// A file that is not whole yet, `.NAME.part` in the folder it will be in. One process at a time has it; what is in it
/// stays for the next.
final class PartFile {
    private let folder: String
    private let name: String
    private let path: String
    private let descriptor: Int32
    private(set) var size = 0
    private(set) var hash = SHA256()

    /// Opens or makes it, and reads what is in it already.
    init(of name: String, in folder: String) throws(ModelStoreError) {
        self.folder = folder
        self.name = name
        path = "\(folder)/.\(name).part"
        descriptor = try Self.locked(path)
        do throws(ModelStoreError) {
            try Self.readAll(descriptor, path) { bytes in
                hash.update(bytes)
                size += bytes.count
            }
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ModelStoreError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .unwritable(path, reason: String(cString: strerror(errno)))
            }
            hash.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            size += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Forgets what is in it.
    func restart() throws(ModelStoreError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw .unwritable(path, reason: String(cString: strerror(errno)))
        }
        (size, hash) = (0, SHA256())
    }

    func remove() {
        unlink(path)
    }

    /// Makes it the file itself: whole, on disk, readable by all, in one step.
    func commit() throws(ModelStoreError) {
        guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0, rename(path, "\(folder)/\(name)") == 0 else {
            throw .unwritable("\(folder)/\(name)", reason: String(cString: strerror(errno)))
        }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if directory >= 0 {
            _ = fsync(directory)
            close(directory)
        }
    }

    /// Reads a descriptor to its end in pieces.
    static func readAll(
        _ descriptor: Int32, _ path: String, _ body: (UnsafeRawBufferPointer) throws(ModelStoreError) -> Void
    ) throws(ModelStoreError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return }
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(path, reason: String(cString: strerror(errno)))
            }
            do {
                try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            } catch let error as ModelStoreError {
                throw error
            } catch {
                throw .unreadable(path, reason: "\(error)")
            }
        }
    }

    private static func locked(_ path: String) throws(ModelStoreError) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw .unwritable(path, reason: String(cString: strerror(errno))) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw .busy(path)
            }
            // Another process may have renamed the file since it was opened.
            var (ours, theirs) = (stat(), stat())
            if fstat(descriptor, &ours) == 0, stat(path, &theirs) == 0, ours.st_ino == theirs.st_ino {
                return descriptor
            }
            close(descriptor)
        }
    }
}
