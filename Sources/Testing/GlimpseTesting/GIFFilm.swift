// SPDX-License-Identifier: Apache-2.0
/// Makes GIF films, because no installed encoder makes any. (GIF89a specification, CompuServe 1990.)
package enum GIFFilm {
    package struct Picture: Sendable {
        /// The grey level, 0...127 of 127.
        package var grey: UInt8
        /// The display time in hundredths of a second.
        package var hundredths: Int
        /// The part of the canvas that it paints: x, y, width, height; nil paints the whole canvas.
        package var part: (x: Int, y: Int, width: Int, height: Int)?
        /// The disposal before the next picture: 1 keeps it, 2 clears to the background, 3 restores the previous
        /// contents.
        package var disposal: UInt8
        /// Whether a graphic control block specifies these values.
        package var hasControl: Bool

        package init(
            grey: UInt8, hundredths: Int = 4, part: (x: Int, y: Int, width: Int, height: Int)? = nil,
            disposal: UInt8 = 1, hasControl: Bool = true
        ) {
            self.grey = grey
            self.hundredths = hundredths
            self.part = part
            self.disposal = disposal
            self.hasControl = hasControl
        }
    }

    /// The bytes of a film. A comment and an application block precede each picture, as the format allows.
    package static func bytes(
        width: Int, height: Int, pictures: [Picture], hasTrailer: Bool = true
    ) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + word(width) + word(height)
        // A global table of 128 colours, background 0, square pixels.
        bytes += [0xF6, 0, 0] + (0..<128).flatMap { [UInt8](repeating: UInt8($0 * 2), count: 3) }
        for picture in pictures {
            bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
            bytes += [0x21, 0xFE, 5] + Array("hello".utf8) + [0]
            if picture.hasControl {
                bytes += [0x21, 0xF9, 4, picture.disposal << 2] + word(picture.hundredths) + [0, 0]
            }
            let part = picture.part ?? (0, 0, width, height)
            bytes += [0x2C] + word(part.x) + word(part.y) + word(part.width) + word(part.height) + [0]
            bytes += [7] + blocks(codes(of: picture.grey, count: part.width * part.height)) + [0]
        }
        return bytes + (hasTrailer ? [0x3B] : [])
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
