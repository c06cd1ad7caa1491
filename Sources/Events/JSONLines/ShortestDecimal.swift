/// Prints a `Float` with the fewest digits that give the same `Float` when they are read, of those the nearest to it (of two the even one): what `description`
/// prints, for numbers whose magnitude is from 10^-4 to 2^24, where that has no exponent.
///
/// All of it is exact. Half-way to the neighbours a number has 25 significant bits, and 5^12 has 28, so their product is a `Double`; twelve decimals
/// are nine significant digits of 10^-4, which are always enough. What lies between the two halves is read as the number. The finest
/// decimal place at which at most one whole number lies between them holds every shorter one too, as one that ends with zeros; so it is
/// that one without its zeros, and where there is none, one place more has some.
enum ShortestDecimal {
    /// The most bytes that `write` takes.
    static let most = 24

    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13]
    private static let wholePowers: [UInt64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
    ]

    /// - Returns: how many bytes were written; nil for a number that is not in the range.
    @inline(__always)
    static func write(_ value: Float, to place: UnsafeMutablePointer<UInt8>) -> Int? {
        let magnitude = value.magnitude
        guard magnitude >= 1e-4, magnitude < 16_777_216 else { return nil }
        let bits = magnitude.bitPattern
        let (mantissa, ulp) = (bits & 0x7F_FFFF, magnitude.ulp)
        let number = Double(magnitude)
        let above = number + Double(ulp) / 2
        // Below a power of two the neighbours are twice as near.
        let below = number - Double(ulp) / (mantissa == 0 ? 4 : 2)
        // An even mantissa is what a number half-way is read as.
        let isEven = mantissa & 1 == 0
        // The fewest decimals of which one lies between `below` and `above` for certain: at least -log10 of their distance.
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

    /// The whole number nearest to `number` times `power`, an even one of two, of those between the others times it.
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
