extension JSONWriter {
    /// The bytes in RFC 4648 section 4 base64, as a string member.
    public mutating func member(_ key: StaticString, base64 payload: [UInt8]) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((payload.count + 2) / 3 * 4)
        for start in stride(from: 0, to: payload.count, by: 3) {
            let group = payload[start..<min(start + 3, payload.count)]
            var bits = 0
            for index in 0..<3 { bits = bits << 8 | (index < group.count ? Int(group[start + index]) : 0) }
            for digit in 0..<4 {
                text.append(digit <= group.count ? alphabet[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
            }
        }
        self.key(key)
        element(raw: [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
    }
}
