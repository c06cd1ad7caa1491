// SPDX-License-Identifier: Apache-2.0
/// Check characters of numbers.
enum CheckDigits {
    /// The last digit is right by GS1's algorithm (GS1 General Specifications, 7.9.1): weights 3 and 1 from the right.
    static func isGS1(_ digits: some BidirectionalCollection<UInt8>) -> Bool {
        guard !digits.isEmpty else { return false }
        var (sum, weight) = (0, 1)
        for byte in digits.reversed() {
            guard byte.isDigit else { return false }
            sum += Int(byte - UInt8(ascii: "0")) * weight
            weight = 4 - weight
        }
        return sum % 10 == 0
    }

    /// ISO 2108: ten characters, the last a digit or X.
    static func isISBN10(_ characters: some Collection<UInt8>) -> Bool {
        guard characters.count == 10 else { return false }
        var sum = 0
        for (place, byte) in characters.enumerated() {
            let value: Int
            if byte.isDigit {
                value = Int(byte - UInt8(ascii: "0"))
            } else if place == 9, byte.lowercased == UInt8(ascii: "x") {
                value = 10
            } else {
                return false
            }
            sum += value * (10 - place)
        }
        return sum % 11 == 0
    }

    /// ISO/IEC 7064, MOD 97-10: the remainder of digits and letters (A is 10) read as one number; nil for other
    /// characters.
    static func mod97(_ characters: some Sequence<UInt8>) -> Int? {
        var remainder = 0
        for byte in characters {
            if byte.isDigit {
                remainder = (remainder * 10 + Int(byte - UInt8(ascii: "0"))) % 97
            } else if byte.isLetter {
                remainder = (remainder * 100 + Int(byte.lowercased - UInt8(ascii: "a")) + 10) % 97
            } else {
                return nil
            }
        }
        return remainder
    }

    /// ISO 13616: country, two check digits, 11 to 30 further characters, without spaces.
    static func isIBAN(_ text: TextBytes) -> Bool {
        guard 15...34 ~= text.count, text.prefix(2).allSatisfy(\.isUpper), text.dropFirst(2).prefix(2).isDigits
        else { return false }
        return mod97(text.dropFirst(4) + text.prefix(4)) == 1
    }

    /// ISO 11649: RF, two check digits, up to 21 characters.
    static func isCreditorReference(_ text: TextBytes) -> Bool {
        guard 5...25 ~= text.count, text.hasPrefix("RF"), text.dropFirst(2).prefix(2).isDigits else { return false }
        return mod97(text.dropFirst(4) + text.prefix(4)) == 1
    }

    /// Modulo 10, recursive (Swiss Payment Standards, implementation guidelines QR-bill, annex B).
    static func isRecursiveMod10(_ digits: TextBytes) -> Bool {
        guard digits.isDigits else { return false }
        let table = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]
        let carry = digits.dropLast().reduce(0) { table[($0 + Int($1 - UInt8(ascii: "0"))) % 10] }
        return digits.last == UInt8(ascii: "0") + UInt8((10 - carry) % 10)
    }
}
