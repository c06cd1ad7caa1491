// SPDX-License-Identifier: Apache-2.0
/// The form of crypto currencies' addresses. Check characters are not looked at, because the documents that define
/// payment addresses ask for the form only. The example addresses of BIP 21 and EIP-681 have wrong check characters.
enum CoinAddress {
    static func isBase58(_ text: TextBytes) -> Bool { 25...36 ~= text.count && text.allSatisfy(base58.contains) }

    /// A witness program's prefix and characters (BIP 173), in one case.
    static func isBech32(_ text: TextBytes, prefixes: [String]) -> Bool {
        let isMixed = text.contains { $0.isUpper } && text.contains { $0.isLetter && !$0.isUpper }
        let lower = text.map(\.lowercased)[...]
        guard !isMixed, text.count <= 90, let one = lower.lastIndex(of: UInt8(ascii: "1")),
            prefixes.contains(lower[..<one].string)
        else { return false }
        let data = lower[(one + 1)...]
        return data.count >= 8 && data.allSatisfy(bech32.contains)
    }

    /// 20 bytes in hexadecimal digits.
    static func isEthereum(_ text: TextBytes) -> Bool {
        text.count == 42 && text.hasPrefix("0x") && text.dropFirst(2).allSatisfy { $0.hexValue != nil }
    }

    private static let base58 = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    private static let bech32 = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
}
