// SPDX-License-Identifier: Apache-2.0
import FragmentedVideo

#if canImport(Glibc)
    import Glibc
#endif

extension FuzzTarget {
    /// A file of clips as a crash may leave it. Its complete fragments end within the file, and reading that part
    /// alone gives equal values.
    static let video = FuzzTarget(
        name: "video",
        words: [
            "ftyp", "moov", "trak", "mdia", "mdhd", "moof", "traf", "trun", "mdat", "free", "\0\0\0\u{8}",
            "\0\0\0\u{10}",
            "\0\0\u{1}\u{1}",
        ]
    ) { input in
        let whole = try read(input)
        try require((0...input.count).contains(whole.bytes), "\(whole.bytes) of \(input.count)")
        try require(whole.frames >= 0 && whole.duration >= 0, "\(whole)")
        let again = try read(Array(input.prefix(whole.bytes)))
        try require(again.frames == whole.frames && again.bytes == whole.bytes, "\(whole), then \(again)")
    }

    private static func read(_ bytes: [UInt8]) throws -> FragmentedFile {
        let path = "/dev/shm/glimpse-fuzz-\(getpid())"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer {
            close(file)
            unlink(path)
        }
        try require(file >= 0 && write(file, bytes, bytes.count) == bytes.count)
        guard let video = FragmentedFile(path) else { throw Broken(description: "cannot be read") }
        return video
    }
}
