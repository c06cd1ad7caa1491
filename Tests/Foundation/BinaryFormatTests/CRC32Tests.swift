// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import Testing

/// Compares the checksum with its definition, bit by bit.
struct CRC32Tests {
    @Test func theCRC32CheckValueIsTheStandards() {
        var check = CRC32()
        check.update(Array("123456789".utf8)[...])
        #expect(check.value == 0xCBF4_3926)
    }

    @Test func crc32OfEveryLengthAndOffsetEqualsTheDefinition() {
        let bytes = (0..<80).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
        for start in 0..<8 {
            for end in start...bytes.count {
                var check = CRC32()
                check.update(bytes[start..<end])
                #expect(check.value == Self.byDefinition(bytes[start..<end]))
            }
        }
    }

    @Test func crc32OfPiecesEqualsThatOfTheWhole() {
        let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for cut in 0...bytes.count {
            var check = CRC32()
            check.update(bytes[..<cut])
            check.update(bytes[cut...])
            #expect(check.value == Self.byDefinition(bytes[...]))
        }
    }

    private static func byDefinition(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var register = UInt32.max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1 }
        }
        return ~register
    }
}
