// SPDX-License-Identifier: Apache-2.0
import Glibc
import ModelCatalog
import SHA2

/// A model's file that is in a folder.
package struct InstalledFile: Sendable {
    package let file: ModelFile
    package let path: String

    /// nil: it is not there.
    package init?(_ file: ModelFile, in folder: String) {
        self.file = file
        path = "\(folder)/\(file.name)"
        guard access(path, F_OK) == 0 else { return nil }
    }

    /// Reads all of it; nil if it is what the catalogue says, as far as the catalogue says anything.
    package func problem() throws(ModelStoreError) -> ModelStoreError? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var hash = SHA256()
        var size = 0
        try PartFile.readAll(descriptor, path) { (bytes) throws(ModelStoreError) in
            hash.update(bytes)
            size += bytes.count
        }
        if let expected = file.bytes, expected != size {
            return .wrongSize(origin: path, expected: expected, actual: size)
        }
        let actual = hash.hexDigest()
        if let expected = file.sha256, expected != actual {
            return .wrongHash(origin: path, expected: expected, actual: actual)
        }
        return nil
    }
}
