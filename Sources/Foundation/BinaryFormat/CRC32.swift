// SPDX-License-Identifier: Apache-2.0
/// CRC-32 of IEEE 802.3 (clause 3.2.9), reflected, polynomial 0xEDB88320: the one of gzip and PNG. Check value of
/// "123456789": 0xCBF43926.
///
/// Every byte that a worker sends is checked, so the sum takes eight bytes at a time, with a table for each. Source
/// (slicing-by-8): Kounavis and Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC Generation", IEEE
/// Transactions on Computers 57, 2008.
package struct CRC32 {
    private var register: UInt32 = 0xFFFF_FFFF

    package init() {}

    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { update($0) }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var register = register
        Self.tables.withUnsafeBufferPointer { tables in
            let sliced = bytes.count & ~7
            for start in stride(from: 0, to: sliced, by: 8) {
                var word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
                word ^= UInt64(register)
                register = 0
                // The first byte has seven after it.
                for following in (0..<8).reversed() {
                    register ^= tables[following << 8 | Int(word & 0xFF)]
                    word >>= 8
                }
            }
            for byte in bytes[sliced...] {
                let index = (register ^ UInt32(byte)) & 0xFF
                register = tables[Int(index)] ^ register >> 8
            }
        }
        self.register = register
    }

    package var value: UInt32 { ~register }

    /// 8 tables of 256: the register after a byte, and after that byte and one to seven zeros.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { (index: UInt32) in
            (0..<8).reduce(index) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        }
        for index in 256..<8 * 256 {
            let shorter = tables[index - 256]
            tables.append(tables[Int(shorter & 0xFF)] ^ (shorter >> 8))
        }
        return tables
    }()
}
