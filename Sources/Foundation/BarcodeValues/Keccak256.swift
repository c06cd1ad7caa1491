/// Keccak-256 with the original padding, as Ethereum uses it (G. Bertoni and others, "The Keccak reference", 2011).
enum Keccak256 {
    /// 32 bytes.
    static func digest(_ message: [UInt8]) -> [UInt8] {
        let rate = 136
        var padded = message + [0x01]
        padded += [UInt8](repeating: 0, count: (rate - padded.count % rate) % rate)
        padded[padded.count - 1] |= 0x80
        var state = [UInt64](repeating: 0, count: 25)
        for block in stride(from: 0, to: padded.count, by: rate) {
            for lane in 0..<(rate / 8) {
                for byte in 0..<8 { state[lane] ^= UInt64(padded[block + lane * 8 + byte]) << (8 * byte) }
            }
            permute(&state)
        }
        return state.prefix(4).flatMap { lane in (0..<8).map { UInt8(truncatingIfNeeded: lane >> (8 * $0)) } }
    }

    private static func permute(_ a: inout [UInt64]) {
        var register: UInt8 = 1
        for _ in 0..<24 {
            // theta
            let c = (0..<5).map { x in stride(from: x, to: 25, by: 5).reduce(UInt64(0)) { $0 ^ a[$1] } }
            for x in 0..<5 {
                let d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1)
                for y in stride(from: 0, to: 25, by: 5) { a[y + x] ^= d }
            }
            // rho and pi
            var (x, y, lane) = (1, 0, a[1])
            for t in 0..<24 {
                (x, y) = (y, (2 * x + 3 * y) % 5)
                let next = a[x + 5 * y]
                a[x + 5 * y] = rotate(lane, (t + 1) * (t + 2) / 2 % 64)
                lane = next
            }
            // chi
            for y in stride(from: 0, to: 25, by: 5) {
                let row = Array(a[y..<(y + 5)])
                for x in 0..<5 { a[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]) }
            }
            // iota: the round constants are a linear feedback shift register's bits.
            for j in 0..<7 {
                if register & 1 == 1 { a[0] ^= 1 << UInt64((1 << j) - 1) }
                register = register & 0x80 != 0 ? register << 1 ^ 0x71 : register << 1
            }
        }
    }

    private static func rotate(_ lane: UInt64, _ count: Int) -> UInt64 {
        count == 0 ? lane : lane << UInt64(count) | lane >> UInt64(64 - count)
    }
}
