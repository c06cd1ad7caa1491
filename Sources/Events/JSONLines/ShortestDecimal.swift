// SPDX-License-Identifier: Apache-2.0
/// Prints a `Float` with the fewest digits that read back as that `Float`. Among several such decimals it takes the
/// nearest, and of two equally near ones the even one. The result equals `description` for magnitudes from 10^-4 to
/// 2^24, where `description` has no exponent.
///
/// All computation is exact. The midpoint between two neighbouring numbers has 25 significant bits and 5^12 has 28, so
/// their product fits into a `Double`. Twelve decimals are nine significant digits of 10^-4, and nine are always
/// enough.
///
/// Every decimal between the two midpoints reads back as the number. The method finds the finest decimal place at which
/// at most one whole number lies between the midpoints. A shorter decimal at that place is a whole number with zeros at
/// its end, so this search covers all shorter decimals.
///
/// So the result is that number without its trailing zeros. If no whole number lies between the midpoints at that
/// place, the next place has at least one.
enum ShortestDecimal {
    /// The most bytes that `write` takes.
    static let most = 24

    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13]
    private static let wholePowers: [UInt64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
    ]

    /// - Returns: the number of bytes written; nil for a value outside the range.
    @inline(__always)
    static func write(_ value: Float, to place: UnsafeMutablePointer<UInt8>) -> Int? {
        let magnitude = value.magnitude
        guard magnitude >= 1e-4, magnitude < 16_777_216 else { return nil }
        let bits = magnitude.bitPattern
        let (mantissa, ulp) = (bits & 0x7F_FFFF, magnitude.ulp)
        let number = Double(magnitude)
        let above = number + Double(ulp) / 2
        // Below a power of two the neighbours are half as far away.
        let below = number - Double(ulp) / (mantissa == 0 ? 4 : 2)
        // A midpoint reads back as the number with the even mantissa.
        let isEven = mantissa & 1 == 0
        // The fewest decimals with which a decimal certainly lies between `below` and `above`: at least -log10 of their
        // distance.
        let exponent = 150 - Int(bits >> 23) + (mantissa == 0 ? 1 : 0)
        var decimals = max(0, (exponent &* 78_913 &+ 262_143) >> 18)
        var digits: UInt64
        if decimals > 0, let one = whole(from: below, to: above, isEven, powers[decimals - 1], number) {
            (digits, decimals) = (one, decimals - 1)
            while decimals > 0, digits % 10 == 0 { (digits, decimals) = (digits / 10, decimals - 1) }
        } else {
            digits = whole(from: below, to: above, isEven, powers[decimals], number) ?? UInt64(number)
        }
        return write(digits, decimals, isNegative: value < 0, to: place)
    }

    /// The whole number nearest to `number` times `power`, within the range from `below` to `above`, both times
    /// `power`. The even one wins between two equally near numbers.
    @inline(__always)
    private static func whole(
        from below: Double, to above: Double, _ isClosed: Bool, _ power: Double, _ number: Double
    ) -> UInt64? {
        let (low, high, nearest) = (below * power, above * power, (number * power).rounded(.toNearestOrEven))
        func fits(_ value: Double) -> Bool { isClosed ? value >= low && value <= high : value > low && value < high }
        if fits(nearest) { return UInt64(nearest) }
        return fits(nearest + 1) ? UInt64(nearest + 1) : nil
    }

    @inline(__always)
    private static func write(
        _ digits: UInt64, _ decimals: Int, isNegative: Bool, to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var count = 0
        if isNegative {
            place.pointee = UInt8(ascii: "-")
            count = 1
        }
        let power = wholePowers[decimals]
        let whole = digits / power
        count += Digits.write(whole, to: place + count)
        guard decimals > 0 else { return count }
        place[count] = UInt8(ascii: ".")
        Digits.write(digits &- whole &* power, decimals, to: place + count + 1)
        return count + 1 + decimals
    }
}
