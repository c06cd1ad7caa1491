/// CRC-32 of IEEE 802.3 (clause 3.2.9), reflected, polynomial 0xEDB88320: the one of gzip and PNG. Check value of "123456789":
/// 0xCBF43926.
package struct CRC32 {
    private var register: UInt32 = 0xFFFF_FFFF

    package init() {}

    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        var register = register
        bytes.withUnsafeBytes { bytes in
            Self.tables.withUnsafeBufferPointer { table in
                let words = bytes.count / 8
                for word in 0..<words {
                    let eight = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
                    let next = eight ^ UInt64(register)
                    register = 0
                    for place in 0..<8 {
                        register ^= table[(7 - place) << 8 | Int(next >> UInt64(8 * place) & 0xFF)]
                    }
                }
                for byte in bytes[(words * 8)...] {
                    register = table[Int((register ^ UInt32(byte)) & 0xFF)] ^ (register >> 8)
                }
            }
        }
        self.register = register
    }

    package var value: UInt32 { ~register }

    /// Eight tables of 256: what a byte does to the register after 0 to 7 others behind it ("slicing-by-8", Kounavis and Berry 2005).
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for byte in 0..<256 as Range<UInt32> {
            var value = byte
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
            tables.append(value)
        }
        for index in 256..<2048 {
            let nearer = tables[index - 256]
            tables.append(tables[Int(nearer & 0xFF)] ^ (nearer >> 8))
        }
        return tables
    }()
}
