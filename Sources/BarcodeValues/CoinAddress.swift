/// Addresses of crypto currencies with their check.
enum CoinAddress {
    /// Version byte and 20 bytes, by Base58Check (Bitcoin wiki, "Base58Check encoding").
    static func isBase58(_ text: TextBytes, versions: [UInt8]) -> Bool {
        guard 25...36 ~= text.count else { return false }
        var bytes: [UInt8] = []
        for character in text {
            guard var carry = base58.firstIndex(of: character) else { return false }
            for place in bytes.indices {
                carry += Int(bytes[place]) * 58
                bytes[place] = UInt8(carry & 255)
                carry >>= 8
            }
            while carry > 0 {
                bytes.append(UInt8(carry & 255))
                carry >>= 8
            }
        }
        let zeros = text.prefix { $0 == UInt8(ascii: "1") }.count
        let decoded = [UInt8](repeating: 0, count: zeros) + bytes.reversed()
        guard decoded.count == 25, versions.contains(decoded[0]) else { return false }
        return SHA256.digest(SHA256.digest(Array(decoded.prefix(21)))).prefix(4).elementsEqual(decoded.suffix(4))
    }

    /// A witness program: Bech32 for version 0, Bech32m for later ones (BIP 173, BIP 350).
    static func isBech32(_ text: TextBytes, prefixes: [String]) -> Bool {
        let isMixed = text.contains { $0.isUpper } && text.contains { $0.isLetter && !$0.isUpper }
        let lower = text.map(\.lowercased)[...]
        guard !isMixed, text.count <= 90, let one = lower.lastIndex(of: UInt8(ascii: "1")),
            prefixes.contains(lower[..<one].string)
        else { return false }
        let data = lower[(one + 1)...].compactMap { bech32.firstIndex(of: $0) }
        guard data.count == lower.endIndex - one - 1, data.count >= 8, let version = data.first, version <= 16 else {
            return false
        }
        let head = lower[..<one].map { Int($0 >> 5) } + [0] + lower[..<one].map { Int($0 & 31) }
        return polymod(head + data) == (version == 0 ? 1 : 0x2BC8_30A3)
    }

    /// 20 bytes in hexadecimal digits; in mixed case they check themselves (EIP-55).
    static func isEthereum(_ text: TextBytes) -> Bool {
        guard text.count == 42, text.hasPrefix("0x") else { return false }
        let digits = text.dropFirst(2)
        guard digits.allSatisfy({ $0.hexValue != nil }) else { return false }
        let letters = digits.filter(\.isLetter)
        if letters.allSatisfy(\.isUpper) || !letters.contains(where: \.isUpper) { return true }
        let hash = Keccak256.digest(digits.map(\.lowercased))
        return digits.enumerated().allSatisfy { place, digit in
            let nibble = place % 2 == 0 ? hash[place / 2] >> 4 : hash[place / 2] & 15
            return !digit.isLetter || digit.isUpper == (nibble >= 8)
        }
    }

    private static func polymod(_ values: [Int]) -> Int {
        let generator = [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3]
        return values.reduce(1) { sum, value in
            var next = (sum & 0x1FF_FFFF) << 5 ^ value
            for bit in 0..<5 where sum >> (25 + bit) & 1 == 1 { next ^= generator[bit] }
            return next
        }
    }

    private static let base58 = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    private static let bech32 = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
}
