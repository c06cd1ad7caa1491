// SPDX-License-Identifier: Apache-2.0
extension JSONWriter {
    /// Writes the bytes in base64 (RFC 4648, section 4) as a string member.
    public mutating func member(_ key: StaticString, base64 payload: [UInt8]) {
        self.key(key)
        var text: [UInt8] = []
        text.reserveCapacity((payload.count + 2) / 3 * 4 + 2)
        text.append(UInt8(ascii: "\""))
        for start in stride(from: 0, to: payload.count, by: 3) {
            let count = min(3, payload.count - start)
            var bits = Int(payload[start]) << 16
            if count > 1 { bits |= Int(payload[start + 1]) << 8 }
            if count > 2 { bits |= Int(payload[start + 2]) }
            for digit in 0..<4 {
                text.append(digit <= count ? base64Alphabet[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
            }
        }
        text.append(UInt8(ascii: "\""))
        element(raw: text)
    }
}

private let base64Alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
