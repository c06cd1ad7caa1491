/// GIF films made in the test, because no installed encoder makes any (GIF89a specification, CompuServe 1990).
package enum GIFFilm {
    /// - Parameter pictures: each one grey level, 0...127 of 127, shown for so many hundredths of a second.
    package static func bytes(width: Int, height: Int, pictures: [(grey: UInt8, hundredths: Int)]) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + word(width) + word(height)
        // A global table of 128 colours, background 0, square pixels.
        bytes += [0xF6, 0, 0] + (0..<128).flatMap { [UInt8](repeating: UInt8($0 * 2), count: 3) }
        for picture in pictures {
            bytes += [0x21, 0xF9, 4, 0] + word(picture.hundredths) + [0, 0]
            bytes += [0x2C] + word(0) + word(0) + word(width) + word(height) + [0]
            bytes += [7] + blocks(codes(of: picture.grey, count: width * height)) + [0]
        }
        return bytes + [0x3B]
    }

    /// LZW codes of eight bits each: the table is cleared before it would need nine.
    private static func codes(of grey: UInt8, count: Int) -> [UInt8] {
        let (clear, end): (UInt8, UInt8) = (128, 129)
        var codes: [UInt8] = []
        for start in stride(from: 0, to: count, by: 120) {
            codes.append(clear)
            codes += [UInt8](repeating: grey, count: min(120, count - start))
        }
        return codes + [end]
    }

    private static func blocks(_ data: [UInt8]) -> [UInt8] {
        stride(from: 0, to: data.count, by: 255).flatMap { start in
            let block = data[start..<min(start + 255, data.count)]
            return [UInt8(block.count)] + block
        }
    }

    private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
