// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Shift JIS (JIS X 0208:1997, appendix 1), by the C library's tables.
enum ShiftJIS {
    /// nil if the bytes are not Shift JIS, or if the C library has no tables for it. The bytes 0x5C and 0x7E are read
    /// as backslash and tilde, as in practice, not as the standard's yen sign and overline.
    static func text(_ bytes: [UInt8]) -> String? {
        guard let converter = iconv_open("UTF-8", "SJIS"), converter != UnsafeMutableRawPointer(bitPattern: -1) else {
            return nil
        }
        defer { iconv_close(converter) }
        // Three bytes of UTF-8 are the most for one of Shift JIS.
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 3 * bytes.count) { output -> String? in
            var source = bytes.map(CChar.init(bitPattern:))
            return source.withUnsafeMutableBufferPointer { input in
                var (next, left) = (input.baseAddress, input.count)
                var (place, room) = (output.baseAddress, output.count)
                guard iconv(converter, &next, &left, &place, &room) != -1, left == 0 else { return nil }
                let written = UnsafeRawBufferPointer(output).prefix(output.count - room)
                return String(validating: written, as: UTF8.self)
            }
        }
        guard let text else { return nil }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar {
                    case "\u{A5}": "\\"
                    case "\u{203E}": "~"
                    default: scalar
                    }
                }))
    }
}
