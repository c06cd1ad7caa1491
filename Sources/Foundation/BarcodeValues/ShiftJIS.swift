/// Shift JIS (JIS X 0208:1997, appendix 1).
enum ShiftJIS {
    /// nil when the bytes are not Shift JIS. 0x5C is the yen sign's place, and read as the backslash that it is in practice.
    static func text(_ bytes: [UInt8]) -> String? {
        var scalars = String.UnicodeScalarView()
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0..<0x80: scalars.append(Unicode.Scalar(byte))
            case 0xA1...0xDF: scalars.append(Unicode.Scalar(UInt16(0xFF61) + UInt16(byte - 0xA1)) ?? " ")
            case 0x81...0x9F, 0xE0...0xEF:
                guard let trail = rest.popFirst(), 0x40...0xFC ~= trail, trail != 0x7F else { return nil }
                let lead = Int(byte) - (byte < 0xA0 ? 0x81 : 0xC1)
                let isSecond = trail >= 0x9F
                let cell = isSecond ? Int(trail) - 0x9E : Int(trail) - (trail > 0x7F ? 0x40 : 0x3F)
                guard let scalar = JISX0208.scalar(row: lead * 2 + (isSecond ? 2 : 1), cell: cell) else { return nil }
                scalars.append(scalar)
            default: return nil
            }
        }
        return String(scalars)
    }
}
