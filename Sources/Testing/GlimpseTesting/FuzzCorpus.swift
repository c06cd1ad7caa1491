// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Inputs for a parser: seeds and damaged copies of seeds. A round gives a reproducible input as long as the seeds do
/// not change.
///
/// Seeds come from the test and from `Tests/Seeds/NAME`: each line of a `.jsonl` file, and every other file as a whole.
/// Lines of a `.base64` file are decoded.
///
/// With `GLIMPSE_FUZZ_KEEP` (a folder) the current input is stored there in the file `NAME@TEST`. So an input that ends
/// the process is known, and `scripts/fuzz.sh` turns it into a seed.
package struct FuzzCorpus: Sendable {
    package static let longestInput = 128 << 10

    private let seeds: [[UInt8]]
    private let words: [[UInt8]]
    private let keptAt: String?

    /// - Parameters:
    ///   - seeds: seeds in addition to the stored ones.
    ///   - words: texts inserted into inputs as a whole: keywords of the format, and boundary numbers.
    package init(
        _ name: String, seeds: [[UInt8]] = [], words: [String] = [], test: StaticString = #function
    ) throws {
        let folder = "\(Checkout.root)/Tests/Seeds/\(name)"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        var kept: [[UInt8]] = []
        for file in files {
            let bytes = try TestFile.read("\(folder)/\(file)")
            let lines = bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
            if file.hasSuffix(".jsonl") {
                kept += lines
            } else if file.hasSuffix(".base64") {
                kept += lines.compactMap { Data(base64Encoded: Data($0)).map(Array.init) }
            } else {
                kept.append(bytes)
            }
        }
        self.seeds = kept + seeds
        precondition(!self.seeds.isEmpty, "nothing to damage: no seeds of \(name)")
        self.words = words.map { Array($0.utf8) }
        let test = "\(test)".prefix { $0 != "(" }
        keptAt = ProcessInfo.processInfo.environment["GLIMPSE_FUZZ_KEEP"].map { "\($0)/\(name)@\(test)" }
    }

    /// Calls `body` with every seed unchanged, then with an input for each round.
    ///
    /// - Parameter body: an error thrown here fails the test, and its input is kept.
    package func forEach(_ rounds: Range<Int>, _ body: ([UInt8]) throws -> Void) throws {
        for seed in seeds { try run(seed, body) }
        for round in rounds { try run(input(round), body) }
        if let keptAt { unlink(keptAt) }
    }

    private func run(_ input: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
        if let keptAt { try TestFile.write(input, to: keptAt) }
        try body(input)
    }

    /// The input of a round.
    package func input(_ round: Int) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(round))
        var input = seeds.randomElement(using: &random) ?? []
        // Half of the inputs are damaged in one place only, because a parser refuses a heavily damaged input at the
        // first place.
        for _ in 0..<(1 << max(0, Int.random(in: -3...3, using: &random))) { damage(&input, &random) }
        return Array(input.prefix(Self.longestInput))
    }

    private func damage(_ input: inout [UInt8], _ random: inout SeededRandom) {
        let place = Int.random(in: 0...input.count, using: &random)
        let end = min(input.count, place + Int.random(in: 1...32, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where place < input.count: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < input.count: input[place] = Self.byte(&random)
        case 2: input.insert(contentsOf: (0..<(end - place)).map { _ in Self.byte(&random) }, at: place)
        case 3: input.removeSubrange(place..<end)
        case 4:
            let times = Int.random(in: 1...64, using: &random)
            input.insert(contentsOf: repeatElement(input[place..<end], count: times).joined(), at: place)
        case 5:
            let times = Int.random(in: 1...5, using: &random) == 1 ? Int.random(in: 1...2048, using: &random) : 1
            let word = words.randomElement(using: &random) ?? [Self.byte(&random)]
            input.insert(contentsOf: repeatElement(word, count: times).joined(), at: place)
        case 6:
            // Overwrites up to eight bytes with a boundary value.
            let edge: UInt8 = [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            let end = min(input.count, place + 8)
            input.replaceSubrange(place..<end, with: repeatElement(edge, count: end - place))
        case 7:
            let other = seeds.randomElement(using: &random) ?? []
            input = input.prefix(place) + other.suffix(Int.random(in: 0...other.count, using: &random))
        case 8:
            // Replaces a number with another one.
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            guard let start = input[place...].firstIndex(where: digits.contains) else { return }
            let stop = input[start...].firstIndex { !digits.contains($0) } ?? input.endIndex
            input.replaceSubrange(start..<stop, with: Self.numbers.randomElement(using: &random) ?? [])
        default: input.removeLast(input.count - place)
        }
    }

    private static let numbers = [
        "0", "-1", "1e999", "-0.0", "1.5", "4294967296", "9223372036854775807", "9223372036854775808",
        "18446744073709551615", "18446744073709551616", "0.1e-400", "00",
    ].map { Array($0.utf8) }

    private static func byte(_ random: inout SeededRandom) -> UInt8 {
        let edges: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0xC0, 0xFF] + Array("\"\\{}[]:,0e-. \r\t".utf8)
        return Bool.random(using: &random)
            ? edges.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
    }
}
