// SPDX-License-Identifier: Apache-2.0
/// Cuts a GIF film into packets of one picture each, as libavcodec's decoder takes them (GIF89a specification,
/// CompuServe 1990). The first packet begins with the film's header. Each packet holds a picture with the control block
/// that belongs to it, and nothing else.
///
/// Reads forward and holds one picture, compressed. The end of the file is the end of the film, wherever it comes after
/// the first picture. An incomplete picture is left out.
struct GIFPackets {
    struct Packet: Equatable {
        var bytes: [UInt8]
        /// Nanoseconds from the first picture.
        var start: Int64
        var duration: Int64
    }

    /// The reason why a file is not a GIF film, or ends too early.
    enum Damage: Error, Equatable, CustomStringConvertible {
        case noGIF
        case impossibleSize(width: Int, height: Int)
        case cutOff
        case garbage(offset: Int)
        case tooLarge(bytes: Int)

        var description: String {
            switch self {
            case .noGIF: "it is no GIF"
            case .impossibleSize(let width, let height): "a GIF of \(width)x\(height) pixels"
            case .cutOff: "it is cut off before the end of its first picture"
            case .garbage(let offset): "it is damaged at byte \(offset)"
            case .tooLarge(let bytes): "it is damaged: a picture of more than \(bytes) bytes"
            }
        }
    }

    /// Pixels of the largest canvas: 8K video and a little more.
    private static let mostPixels = 1 << 25
    static let signatures = [Array("GIF87a".utf8), Array("GIF89a".utf8)]

    let width: Int
    let height: Int
    private var input: Bytes
    /// The beginning of the next packet: header and global colours, until the first picture takes them.
    private var head: [UInt8]
    /// A larger packet is impossible: a code of 12 bits is at least one pixel. Four bytes for each leave room for
    /// useless codes.
    private let mostBytes: Int
    private var control: [UInt8] = []
    private var duration = Self.duration(hundredths: 0)
    private var start: Int64 = 0
    private var isOver = false

    /// - Parameter read: gives at most so many bytes of the file, going on from call to call; none at its end.
    init(read: @escaping (Int) -> [UInt8]) throws(Damage) {
        var input = Bytes(read: read)
        guard Self.signatures.contains(try input.take(6)) else { throw .noGIF }
        let screen = try input.take(7)
        (width, height) = (Self.word(screen, 0), Self.word(screen, 2))
        guard width > 0, height > 0, width * height <= Self.mostPixels else {
            throw .impossibleSize(width: width, height: height)
        }
        head = Self.signatures[1] + screen
        head += try input.take(Self.colourBytes(screen[4]))
        mostBytes = 65_536 + 4 * width * height
        self.input = input
    }

    /// nil at the end, and for ever after it and after an error.
    mutating func next() throws(Damage) -> Packet? {
        guard !isOver else { return nil }
        do throws(Damage) {
            if let packet = try picture() { return packet }
        } catch {
            isOver = true
            if error == .cutOff, head.isEmpty { return nil }
            throw error
        }
        isOver = true
        return nil
    }

    private mutating func picture() throws(Damage) -> Packet? {
        while true {
            guard let introducer = input.next() else {
                if head.isEmpty { return nil }
                throw .cutOff
            }
            switch introducer {
            case 0x21: try readExtension()
            case 0x2C: return try readImage()
            case 0x3B where head.isEmpty: return nil
            case 0x3B: throw .cutOff
            default: throw .garbage(offset: input.offset - 1)
            }
        }
    }

    /// Keeps graphic control blocks; comments, texts and what applications left are of no use here.
    private mutating func readExtension() throws(Damage) {
        let label = try input.take(1)[0]
        guard label == 0xF9 else {
            try input.skipBlocks()
            return
        }
        let size = try input.take(1)[0]
        let block = try input.take(Int(size))
        if size > 0 { try input.skipBlocks() }
        guard size >= 4 else { return }
        control = [0x21, 0xF9, 4] + block.prefix(4) + [0]
        duration = Self.duration(hundredths: Self.word(block, 1))
    }

    private mutating func readImage() throws(Damage) -> Packet {
        var bytes = head + control + [0x2C]
        let descriptor = try input.take(9)
        bytes += descriptor
        bytes += try input.take(Self.colourBytes(descriptor[8]))
        bytes += try input.take(1)
        while true {
            let size = try input.take(1)[0]
            bytes.append(size)
            if size == 0 { break }
            bytes += try input.take(Int(size))
            guard bytes.count <= mostBytes else { throw .tooLarge(bytes: mostBytes) }
        }
        defer {
            (head, control) = ([], [])
            start &+= duration
            duration = Self.duration(hundredths: 0)
        }
        return Packet(bytes: bytes, start: start, duration: duration)
    }

    /// In nanoseconds. Browsers show pictures with hardly any delay for a tenth of a second, and films are made for
    /// them.
    private static func duration(hundredths: Int) -> Int64 {
        Int64(hundredths < 2 ? 10 : hundredths) * 10_000_000
    }

    private static func colourBytes(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    private static func word(_ bytes: [UInt8], _ index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }
}

/// Bytes of a file that is read forward once.
private struct Bytes {
    private let read: (Int) -> [UInt8]
    private var buffer: [UInt8] = []
    private var place = 0
    /// The position of the next byte in the file.
    private(set) var offset = 0

    init(read: @escaping (Int) -> [UInt8]) {
        self.read = read
    }

    mutating func next() -> UInt8? {
        if place == buffer.count {
            buffer = read(65_536)
            place = 0
            if buffer.isEmpty { return nil }
        }
        defer {
            place += 1
            offset += 1
        }
        return buffer[place]
    }

    mutating func take(_ count: Int) throws(GIFPackets.Damage) -> [UInt8] {
        if count <= buffer.count - place {
            defer {
                place += count
                offset += count
            }
            return Array(buffer[place..<place + count])
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count {
            guard let byte = next() else { throw .cutOff }
            bytes.append(byte)
        }
        return bytes
    }

    /// Passes over blocks up to and with the empty one that ends them.
    mutating func skipBlocks() throws(GIFPackets.Damage) {
        while let size = next() {
            if size == 0 { return }
            _ = try take(Int(size))
        }
        throw .cutOff
    }
}
