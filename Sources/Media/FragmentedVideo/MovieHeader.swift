// SPDX-License-Identifier: Apache-2.0
import Frames

/// The boxes before the first fragment of a file with one track of video. (ISO/IEC 14496-12; sample entries: 14496-15.)
package enum MovieHeader {
    /// Ticks of a second, so that decode times are nanoseconds.
    private static let timescale = 1_000_000_000
    private static let identityMatrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]

    package static func bytes(_ video: VideoDescription) -> [UInt8] {
        Box.bytes("ftyp", Box.text("iso6") + Box.number(0) + Box.text("iso6\(video.codec.sampleEntry)mp41"))
            + Box.bytes(
                "moov",
                movie + Box.bytes("trak", track(video))
                    + Box.bytes("mvex", Box.bytes("trex", Box.numbers([0, 1, 1, 0, 0, 0]))))
    }

    private static var movie: [UInt8] {
        // Times and duration are 0; the rate is 1, the volume 1.
        let times = Box.numbers([0, 0, 0, 1000, 0, 0x1_0000, 0x100_0000, 0, 0])
        return Box.bytes("mvhd", times + Box.numbers(identityMatrix) + Box.numbers([0, 0, 0, 0, 0, 0, 2]))
    }

    private static func track(_ video: VideoDescription) -> [UInt8] {
        let size = Box.numbers([video.width << 16, video.height << 16])
        // Flags 3: the track is enabled and in the movie.
        let header = Box.bytes(
            "tkhd", Box.numbers([3, 0, 0, 1, 0, 0, 0, 0, 0, 0]) + Box.numbers(identityMatrix) + size)
        // The language is undetermined ("und").
        let times = Box.bytes("mdhd", Box.numbers([0, 0, 0, timescale, 0, 0x55C4_0000]))
        let handler = Box.bytes("hdlr", Box.numbers([0, 0]) + Box.text("vide") + Box.numbers([0, 0, 0]) + [0])
        let place = Box.bytes("dinf", Box.bytes("dref", Box.numbers([0, 1]) + Box.bytes("url ", Box.numbers([1]))))
        let tables = Box.bytes(
            "stbl",
            Box.bytes("stsd", Box.numbers([0, 1]) + sampleEntry(video)) + Box.bytes("stts", Box.numbers([0, 0]))
                + Box.bytes("stsc", Box.numbers([0, 0])) + Box.bytes("stsz", Box.numbers([0, 0, 0]))
                + Box.bytes("stco", Box.numbers([0, 0])))
        let media = Box.bytes("minf", Box.bytes("vmhd", Box.numbers([1, 0, 0])) + place + tables)
        return header + Box.bytes("mdia", times + handler + media)
    }

    private static func sampleEntry(_ video: VideoDescription) -> [UInt8] {
        let size = Box.numbers([video.width << 16 | video.height])
        let name = [UInt8](repeating: 0, count: 32)
        // 72 dots an inch, one frame a sample, colour of 24 bits.
        let picture =
            Box.numbers([0, 1, 0, 0, 0, 0]) + size + Box.numbers([0x48_0000, 0x48_0000, 0]) + [0, 1] + name
            + [0, 0x18, 0xFF, 0xFF]
        return Box.bytes(
            video.codec.sampleEntry, picture + Box.bytes(video.codec.configurationBox, video.configuration))
    }
}

extension VideoCodec {
    fileprivate var sampleEntry: String {
        switch self {
        case .h264: "avc1"
        case .h265: "hvc1"
        }
    }

    fileprivate var configurationBox: String {
        switch self {
        case .h264: "avcC"
        case .h265: "hvcC"
        }
    }
}
