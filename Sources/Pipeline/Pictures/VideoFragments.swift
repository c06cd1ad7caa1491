// SPDX-License-Identifier: Apache-2.0
import Frames

/// Fragmented MP4 (ISO/IEC 14496-12) of one H.264 track, with a fragment for each frame. The type is pure.
enum VideoFragments {
    /// Ticks of a second, so that decode times are nanoseconds.
    private static let timescale = 1_000_000_000
    /// The duration of each frame in ticks. The time of the next frame is unknown. A browser takes a frame that is
    /// later than two durations for a gap, and drops frames up to a key frame.
    private static let duration = 500_000_000
    private static let identityMatrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]

    /// The boxes before the first fragment.
    static func header(_ video: VideoDescription) -> [UInt8] {
        box("ftyp", text("iso6") + number(0) + text("iso6avc1mp41"))
            + box("moov", movie + box("trak", track(video)) + box("mvex", box("trex", numbers([0, 1, 1, 0, 0, 0]))))
    }

    /// - Parameters:
    ///   - number: grows from fragment to fragment.
    ///   - time: the decode time, which is the presentation time too, in nanoseconds.
    static func fragment(number: UInt64, time: Int64, isKey: Bool, content: [UInt8]) -> [UInt8] {
        let headerSize = 100
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerSize + 8 + content.count)
        // The movie fragment, its number, and the track with offsets from the begin of the fragment.
        bytes +=
            numbers([headerSize]) + text("moof") + numbers([16]) + text("mfhd")
            + numbers([0, Int(number & 0xFFFF_FFFF)])
        bytes += numbers([76]) + text("traf") + numbers([16]) + text("tfhd") + numbers([0x2_0000, 1])
        // The decode time in 64 bits.
        bytes += numbers([20]) + text("tfdt") + numbers([0x100_0000, Int(time >> 32), Int(time & 0xFFFF_FFFF)])
        // One frame: the offset of its content, its duration, its size, and whether it depends on others.
        bytes += numbers([32]) + text("trun") + numbers([0x701, 1, headerSize + 8, duration, content.count])
        bytes += numbers([isKey ? 0x200_0000 : 0x101_0000])
        bytes += numbers([8 + content.count]) + text("mdat")
        bytes += content
        return bytes
    }

    private static var movie: [UInt8] {
        // Times and duration are 0; the rate is 1, the volume 1.
        let times = numbers([0, 0, 0, 1000, 0, 0x1_0000, 0x100_0000, 0, 0])
        return box("mvhd", times + numbers(identityMatrix) + numbers([0, 0, 0, 0, 0, 0, 2]))
    }

    private static func track(_ video: VideoDescription) -> [UInt8] {
        let size = numbers([video.width << 16, video.height << 16])
        // Flags 3: the track is enabled and in the movie.
        let header = box(
            "tkhd", numbers([3, 0, 0, 1, 0, 0, 0, 0, 0, 0]) + numbers(identityMatrix) + size)
        // The language is undetermined ("und").
        let times = box("mdhd", numbers([0, 0, 0, timescale, 0, 0x55C4_0000]))
        let handler = box("hdlr", numbers([0, 0]) + text("vide") + numbers([0, 0, 0]) + [0])
        let place = box("dinf", box("dref", numbers([0, 1]) + box("url ", numbers([1]))))
        let tables = box(
            "stbl",
            box("stsd", numbers([0, 1]) + sampleEntry(video)) + box("stts", numbers([0, 0]))
                + box("stsc", numbers([0, 0]))
                + box("stsz", numbers([0, 0, 0])) + box("stco", numbers([0, 0])))
        let media = box("minf", box("vmhd", numbers([1, 0, 0])) + place + tables)
        return header + box("mdia", times + handler + media)
    }

    private static func sampleEntry(_ video: VideoDescription) -> [UInt8] {
        let size = numbers([video.width << 16 | video.height])
        let name = [UInt8](repeating: 0, count: 32)
        // 72 dots an inch, one frame a sample, colour of 24 bits.
        let picture = numbers([0, 1, 0, 0, 0, 0]) + size + numbers([0x48_0000, 0x48_0000, 0]) + [0, 1] + name
        return box("avc1", picture + [0, 0x18, 0xFF, 0xFF] + box("avcC", video.configuration))
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(8 + content.count) + text(name) + content
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func numbers(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { number($0) } }

    /// Four bytes, big-endian.
    private static func number(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
    }
}
