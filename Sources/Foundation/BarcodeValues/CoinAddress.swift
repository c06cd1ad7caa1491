import SHA2

/// Addresses of crypto currencies: their form, and whether their own check characters are right.
///
/// The two are apart because the documents that define payment addresses ask for the form only; the example addresses of BIP 21 and
/// EIP-681 themselves have wrong checks.
enum CoinAddress {
    static func isBase58(_ text: TextBytes) -> Bool { 25...36 ~= text.count && text.allSatisfy(base58.contains) }

    /// A version byte and 20 bytes, by Base58Check (Bitcoin wiki, "Base58Check encoding").
    static func isBase58Checked(_ text: TextBytes, versions: [UInt8]) -> Bool {
        guard isBase58(text) else { return false }
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

    /// A witness program's prefix and characters (BIP 173), in one case.
    static func isBech32(_ text: TextBytes, prefixes: [String]) -> Bool { bech32Parts(text, prefixes) != nil }

    /// Bech32 for version 0, Bech32m for later ones (BIP 350).
    static func isBech32Checked(_ text: TextBytes, prefixes: [String]) -> Bool {
        guard let (prefix, data) = bech32Parts(text, prefixes), let version = data.first, version <= 16 else {
            return false
        }
        let head = prefix.map { Int($0 >> 5) } + [0] + prefix.map { Int($0 & 31) }
        return polymod(head + data) == (version == 0 ? 1 : 0x2BC8_30A3)
    }

    private static func bech32Parts(_ text: TextBytes, _ prefixes: [String]) -> (prefix: TextBytes, data: [Int])? {
        let isMixed = text.contains { $0.isUpper } && text.contains { $0.isLetter && !$0.isUpper }
        let lower = text.map(\.lowercased)[...]
        guard !isMixed, text.count <= 90, let one = lower.lastIndex(of: UInt8(ascii: "1")),
            prefixes.contains(lower[..<one].string)
        else { return nil }
        let data = lower[(one + 1)...].compactMap { bech32.firstIndex(of: $0) }
        return data.count == lower.endIndex - one - 1 && data.count >= 8 ? (lower[..<one], data) : nil
    }

    /// 20 bytes in hexadecimal digits.
    static func isEthereum(_ text: TextBytes) -> Bool {
        text.count == 42 && text.hasPrefix("0x") && text.dropFirst(2).allSatisfy { $0.hexValue != nil }
    }

    /// In mixed case it checks itself (EIP-55); nil: it is in one case, or no address.
    static func isEthereumChecked(_ text: TextBytes) -> Bool? {
        let digits = text.dropFirst(2)
        let letters = digits.filter(\.isLetter)
        guard isEthereum(text), letters.contains(where: \.isUpper), !letters.allSatisfy(\.isUpper) else { return nil }
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
