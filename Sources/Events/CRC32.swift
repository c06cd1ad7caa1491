/// CRC-32 of IEEE 802.3 (clause 3.2.9), reflected, polynomial 0xEDB88320: the one of gzip and PNG. Check value of "123456789":
/// 0xCBF43926.
package struct CRC32 {
    private var register: UInt32 = 0xFFFF_FFFF

    package init() {}

    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        var register = register
        bytes.withUnsafeBufferPointer { bytes in
            Self.table.withUnsafeBufferPointer { table in
                for byte in bytes { register = table[Int((register ^ UInt32(byte)) & 0xFF)] ^ (register >> 8) }
            }
        }
        self.register = register
    }

    package var value: UInt32 { ~register }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
}
