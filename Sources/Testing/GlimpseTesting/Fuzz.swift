import Glibc

/// How far tests with random input go. `GLIMPSE_FUZZ_SCALE` is a whole number from 1 up: 1, the default, takes seconds in all; `make fuzz`
/// sets a large one.
package enum Fuzz {
    /// Anything but a whole number from 1 up ends the process: a typing error must not look like a long run.
    package static let scale: Int = {
        guard let text = getenv("GLIMPSE_FUZZ_SCALE").map({ String(cString: $0) }), !text.isEmpty else { return 1 }
        guard let scale = Int(text), (1...1_000_000).contains(scale) else {
            fatalError("GLIMPSE_FUZZ_SCALE is \"\(text)\", not a whole number from 1 to 1000000")
        }
        return scale
    }()

    /// So many rounds of what takes `count` at scale 1. Seeds of a smaller scale are among those of a larger one.
    package static func rounds(_ count: Int) -> Range<Int> { 0..<count * scale }

    /// The seeds of `rounds(count)`, for tests that take one as an argument.
    package static func seeds(_ count: Int) -> Range<UInt64> { 0..<UInt64(count * scale) }
}
