// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import BinaryFormat
import PictureStorage
import SHA2

/// The file format of an index. Numbers are little-endian.
///
/// ```
///     offset  0  "glimpse index 1\n"
///            16  SHA-256 of all bytes from offset 48 on
///            48  length of the header in bytes, 64 bits
///            56  header: model, SHA-256 of the model, folder (texts: 32 bits of length, UTF-8);
///                dimensions, turns, count (32 bits each); for each item its id and title
///             .  zeros up to a multiple of 64
///             .  vectors: 32-bit floats, items times turns times dimensions
/// ```
package enum PictureIndexFile {
    static let magic = Array("glimpse index 1\n".utf8)
    static let (digestBytes, prefixBytes) = (32, 56)
    package static let maximumItems = 1_000_000
    static let (maximumDimensions, maximumTurns) = (8192, 4)
    /// The accepted deviation of a vector's length from 1.
    private static let tolerance: Float = 1e-3

    /// Writes the file, which atomically replaces an existing one.
    package static func write(_ index: PictureIndex, to path: String) throws(PictureIndexError) {
        let header = bytes(of: index.header)
        var front: [UInt8] = []
        front.append(integer: UInt64(header.count))
        front += header
        let end = magic.count + digestBytes + front.count
        front += repeatElement(0, count: (64 - end % 64) % 64)
        let vectors = UnsafeRawBufferPointer(index.vectors)
        var hash = SHA256()
        front.withUnsafeBytes { hash.update($0) }
        hash.update(vectors)
        let start = magic + hash.digest()
        let problem = start.withUnsafeBytes { start in
            front.withUnsafeBytes { front in PictureFile.write([start, front, vectors], to: path) }
        }
        if let problem { throw PictureIndexError(problem.description) }
    }

    /// Adds the magic and the digest in front of the content.
    static func sealed(_ content: [UInt8]) -> [UInt8] { magic + SHA256.digest(content) + content }

    /// Maps the whole file and verifies its digest. The file may be replaced meanwhile, but not overwritten.
    package static func read(_ path: String) throws(PictureIndexError) -> PictureIndex {
        let file = try MappedFile(path)
        return try parse(file.bytes, storage: file, path: path)
    }

    static func parse(
        _ bytes: UnsafeRawBufferPointer, storage: AnyObject, path: String
    ) throws(PictureIndexError) -> PictureIndex {
        func fail(_ problem: String) -> PictureIndexError { PictureIndexError("\(path): \(problem)") }
        guard bytes.count >= prefixBytes, bytes.starts(with: magic) else {
            throw fail("the file is not an index of this version")
        }
        var hash = SHA256()
        hash.update(UnsafeRawBufferPointer(rebasing: bytes[(magic.count + digestBytes)...]))
        guard hash.digest().elementsEqual(bytes[magic.count..<(magic.count + digestBytes)]) else {
            throw fail("the index is damaged or incomplete")
        }
        let headerBytes = bytes.loadUnaligned(fromByteOffset: prefixBytes - 8, as: UInt64.self).littleEndian
        guard headerBytes <= UInt64(bytes.count - prefixBytes) else { throw fail("the header is longer than the file") }
        let end = prefixBytes + Int(headerBytes)
        guard let header = Self.header(Array(bytes[prefixBytes..<end])) else { throw fail("the header is invalid") }
        let start = (end + 63) / 64 * 64
        let count = header.items.count * header.turns * header.dimensions
        guard bytes.count == start + count * MemoryLayout<Float>.stride else {
            throw fail("the number of vectors does not match the header")
        }
        let vectors = UnsafeRawBufferPointer(rebasing: bytes[start...]).assumingMemoryBound(to: Float.self)
        guard haveLengthOne(vectors, header.dimensions) else { throw fail("the length of a vector is not 1") }
        return PictureIndex(header, vectors: vectors, storage: storage)
    }

    private static func haveLengthOne(_ vectors: UnsafeBufferPointer<Float>, _ dimensions: Int) -> Bool {
        guard let base = vectors.baseAddress else { return true }
        return stride(from: 0, to: vectors.count, by: dimensions).allSatisfy { start in
            // The comparison is also false for NaN.
            abs(InnerProduct.of(base + start, base + start, dimensions) - 1) < tolerance
        }
    }

    private static func bytes(of header: PictureIndex.Header) -> [UInt8] {
        var bytes: [UInt8] = []
        for text in [header.model, header.modelSHA256, header.folder] { bytes.append(string: text) }
        for number in [header.dimensions, header.turns, header.items.count] {
            bytes.append(integer: UInt64(number), bytes: 4)
        }
        for item in header.items {
            bytes.append(string: item.id)
            bytes.append(string: item.title)
        }
        return bytes
    }

    private static func header(_ bytes: [UInt8]) -> PictureIndex.Header? {
        var reader = PayloadReader(bytes[...])
        guard let model = reader.string(), let sha256 = reader.string(), let folder = reader.string(),
            let dimensions = reader.integer(bytes: 4), (1...UInt64(maximumDimensions)).contains(dimensions),
            let turns = reader.integer(bytes: 4), (1...UInt64(maximumTurns)).contains(turns),
            let count = reader.integer(bytes: 4), count <= UInt64(maximumItems)
        else { return nil }
        var items: [PictureIndex.Item] = []
        for _ in 0..<count {
            guard let id = reader.string(), let title = reader.string() else { return nil }
            items.append(.init(id: id, title: title))
        }
        guard reader.isAtEnd else { return nil }
        return PictureIndex.Header(
            model: model, modelSHA256: sha256, folder: folder, dimensions: Int(dimensions), turns: Int(turns),
            items: items)
    }
}

/// The error of an index or of building one, for people.
package struct PictureIndexError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A read-only mapped file. The kernel loads its pages on demand.
private final class MappedFile {
    let bytes: UnsafeRawBufferPointer

    init(_ path: String) throws(PictureIndexError) {
        func failure() -> PictureIndexError { PictureIndexError("\(path): \(String(cString: strerror(errno)))") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            throw PictureIndexError("\(path): the file is not an index of this version")
        }
        let size = Int(status.st_size)
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw failure()
        }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}
