// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// The complete fragments of an MP4 file. (ISO/IEC 14496-12, movie fragments.)
package struct FragmentedFile: Sendable {
    package private(set) var frames = 0
    /// In nanoseconds.
    package private(set) var duration: Int64 = 0
    /// The length of the file up to the end of its last complete fragment.
    package private(set) var bytes = 0

    /// The largest box of metadata that is read: an hour of frames needs less.
    private static let mostMetadata = 1 << 22

    private var timescale: Int64 = 0
    private var ticks: Int64 = 0
    /// The frames and the duration of the fragment whose data come next.
    private var open: (frames: Int, ticks: Int64)?

    /// Reads only metadata. nil if the file cannot be read.
    package init?(_ path: String) {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let length = Int(lseek(file, 0, SEEK_END))
        var offset = 0
        while let head = Self.read(file, offset, 8), case let size = Int(Self.number(head, 0)), size >= 8,
            offset + size <= length
        {
            take(Array(head[4..<8])) { Self.read(file, offset + 8, min(size - 8, Self.mostMetadata)) ?? [] }
            offset += size
            if open == nil { bytes = offset }
            if Self.name(head) == "mdat", let fragment = open {
                (frames, ticks, bytes) = (frames + fragment.frames, ticks + fragment.ticks, offset)
                open = nil
            }
        }
        if timescale > 0 {
            duration = Int64(exactly: (Double(ticks) / Double(timescale) * 1e9).rounded(.down)) ?? .max
        }
    }

    private mutating func take(_ name: [UInt8], _ content: () -> [UInt8]) {
        switch String(decoding: name, as: UTF8.self) {
        case "moov":
            Self.walk(content()[...], into: ["trak", "mdia"]) { name, box in
                // Version 0 has times of 32 bits, version 1 of 64.
                guard name == "mdhd", let version = box.first else { return }
                timescale = Int64(Self.number(box, version == 1 ? 20 : 12))
            }
        case "moof":
            var fragment = (frames: 0, ticks: Int64(0))
            Self.walk(content()[...], into: ["traf"]) { name, box in
                guard name == "trun" else { return }
                let run = Self.run(box)
                fragment = (fragment.frames + run.frames, fragment.ticks + run.ticks)
            }
            open = fragment
        default: break
        }
    }

    /// The frames of a `trun` box, and the sum of their durations.
    private static func run(_ box: ArraySlice<UInt8>) -> (frames: Int, ticks: Int64) {
        let (flags, count) = (number(box, 0) & 0xFF_FFFF, Int(number(box, 4)))
        let fields = [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 }
        let start = 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
        guard flags & 0x100 != 0, count <= box.count else { return (count, 0) }
        return (count, (0..<count).reduce(0) { $0 + Int64(number(box, start + $1 * fields * 4)) })
    }

    private static func walk(
        _ boxes: ArraySlice<UInt8>, into containers: Set<String>, _ visit: (String, ArraySlice<UInt8>) -> Void
    ) {
        var rest = boxes
        while rest.count >= 8, case let size = Int(number(rest, 0)), size >= 8, size <= rest.count {
            let (box, name) = (rest.prefix(size).dropFirst(8), name(Array(rest.prefix(8))))
            if containers.contains(name) { walk(box, into: containers, visit) } else { visit(name, box) }
            rest = rest.dropFirst(size)
        }
    }

    private static func name(_ head: [UInt8]) -> String { String(decoding: head[4..<8], as: UTF8.self) }

    /// Four bytes, big-endian; 0 outside.
    private static func number(_ bytes: some RandomAccessCollection<UInt8>, _ offset: Int) -> UInt32 {
        let part = bytes.dropFirst(offset).prefix(4)
        return part.count == 4 ? part.reduce(0) { $0 << 8 | UInt32($1) } : 0
    }

    private static func read(_ file: Int32, _ offset: Int, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(file, &bytes, count, off_t(offset)) == count ? bytes : nil
    }
}
