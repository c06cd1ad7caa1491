// SPDX-License-Identifier: Apache-2.0
import CCurl
import Testing

/// The addresses of the public internet.
@Suite struct PublicAddressTests {
    @Test(
        arguments: [
            ([1, 1, 1, 1], true), ([8, 8, 8, 8], true), ([93, 184, 216, 34], true), ([172, 15, 255, 255], true),
            ([172, 32, 0, 1], true), ([100, 63, 255, 255], true), ([100, 128, 0, 1], true),
            ([223, 255, 255, 255], true),
            ([0, 0, 0, 0], false), ([10, 1, 2, 3], false), ([100, 64, 0, 1], false), ([127, 0, 0, 1], false),
            ([127, 255, 255, 255], false), ([169, 254, 169, 254], false), ([172, 16, 0, 1], false),
            ([172, 31, 255, 255], false), ([192, 0, 0, 8], false), ([192, 0, 2, 1], false), ([192, 168, 0, 1], false),
            ([198, 18, 0, 1], false), ([198, 51, 100, 1], false), ([203, 0, 113, 1], false), ([224, 0, 0, 1], false),
            ([240, 0, 0, 1], false), ([255, 255, 255, 255], false),
        ] as [([UInt8], Bool)])
    func publicAddressesOfIPVersion4(address: [UInt8], isPublic: Bool) {
        #expect(ccurl_is_public(address, 4) == isPublic)
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + address
        #expect(ccurl_is_public(mapped, 16) == isPublic)
        let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + address
        #expect(ccurl_is_public(translated, 16) == isPublic)
        let sixToFour: [UInt8] = [0x20, 0x02] + address + [UInt8](repeating: 1, count: 10)
        #expect(ccurl_is_public(sixToFour, 16) == isPublic)
    }

    @Test(
        arguments: [
            ([0x26, 0x06, 0x47, 0], true), ([0x2A, 0, 0x14, 0x50], true), ([0x20, 0x01, 0x48, 0x60], true),
            ([0, 0, 0, 0], false), ([0xFC, 0, 0, 0], false), ([0xFD, 0x12, 0, 0], false), ([0xFE, 0x80, 0, 0], false),
            ([0xFE, 0xC0, 0, 0], false), ([0xFF, 0x02, 0, 0], false), ([0x20, 0x01, 0x0D, 0xB8], false),
            ([0x20, 0x01, 0, 0], false), ([0x40, 0, 0, 0], false),
        ] as [([UInt8], Bool)])
    func publicAddressesOfIPVersion6(beginning: [UInt8], isPublic: Bool) {
        #expect(ccurl_is_public(beginning + [UInt8](repeating: 0, count: 11) + [1], 16) == isPublic)
    }

    @Test func addressesOfOtherLengthsAreNotPublic() {
        #expect(!ccurl_is_public([8, 8, 8, 8, 8], 5) && !ccurl_is_public([8], 0))
    }
}
