// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Scales the tests with random input. `GLIMPSE_FUZZ_SCALE` is a whole number from 1. The default 1 takes seconds in
/// total; `make fuzz` sets a large number.
package enum Fuzz {
    /// The scale. An invalid value ends the process, so that a typing error does not pass for a long run.
    package static let scale: Int = {
        guard let text = getenv("GLIMPSE_FUZZ_SCALE").map({ String(cString: $0) }), !text.isEmpty else { return 1 }
        guard let scale = Int(text), (1...1_000_000).contains(scale) else {
            fatalError("GLIMPSE_FUZZ_SCALE is \"\(text)\", not a whole number from 1 to 1000000")
        }
        return scale
    }()

    /// The number of rounds for a test with `count` rounds at scale 1. The seeds of a smaller scale are a subset of
    /// those of a larger one.
    package static func rounds(_ count: Int) -> Range<Int> { 0..<count * scale }

    /// The seeds of `rounds(count)`, for tests that take a seed as an argument.
    package static func seeds(_ count: Int) -> Range<UInt64> { 0..<UInt64(count * scale) }
}
