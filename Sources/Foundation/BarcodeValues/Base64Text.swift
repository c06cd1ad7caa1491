// SPDX-License-Identifier: Apache-2.0
/// RFC 4648, section 4.
enum Base64Text {
    /// nil when it is not base64; white space and missing padding are let pass.
    static func decoded(_ text: TextBytes) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        var isPadded = false
        for byte in text where !byte.isSpace {
            if byte == UInt8(ascii: "=") {
                isPadded = true
                continue
            }
            guard !isPadded, let digit = value(byte) else { return nil }
            bits = (bits << 6 | digit) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return count < 6 ? bytes : nil
    }

    private static func value(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
