// SPDX-License-Identifier: Apache-2.0
/// A set of characters: ranges of code points in ascending order, none of which overlap or touch.
struct CharacterRanges: Hashable {
    let ranges: [ClosedRange<UInt32>]

    init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    private init(ascii ranges: ClosedRange<Unicode.Scalar>...) {
        self.init(ranges.map { $0.lowerBound.value...$0.upperBound.value })
    }

    /// Every other character, U+0000 among them.
    var inverted: CharacterRanges {
        var (others, start): ([ClosedRange<UInt32>], UInt32) = ([], 0)
        for range in ranges {
            if range.lowerBound > start { others.append(start...(range.lowerBound - 1)) }
            start = range.upperBound + 1
        }
        if start <= Self.last { others.append(start...Self.last) }
        return CharacterRanges(others)
    }

    private static let last: UInt32 = 0x10FFFF

    /// The characters of `.`: POSIX leaves U+0000 out.
    static let any = CharacterRanges([1...last])
    static let word = CharacterRanges(ascii: "0"..."9", "A"..."Z", "_"..."_", "a"..."z")
    static let space = CharacterRanges(ascii: "\t"..."\r", " "..." ")

    static func isInWord(_ character: UInt32) -> Bool { word.ranges.contain(character, in: word.ranges.indices) }

    /// The classes between `[:` and `:]`, as POSIX has them for the C locale.
    static let classes: [String: CharacterRanges] = [
        "alnum": CharacterRanges(ascii: "0"..."9", "A"..."Z", "a"..."z"),
        "alpha": CharacterRanges(ascii: "A"..."Z", "a"..."z"),
        "blank": CharacterRanges(ascii: "\t"..."\t", " "..." "),
        "cntrl": CharacterRanges(ascii: "\u{0}"..."\u{1F}", "\u{7F}"..."\u{7F}"),
        "digit": CharacterRanges(ascii: "0"..."9"),
        "graph": CharacterRanges(ascii: "!"..."~"),
        "lower": CharacterRanges(ascii: "a"..."z"),
        "print": CharacterRanges(ascii: " "..."~"),
        "punct": CharacterRanges(ascii: "!"..."/", ":"..."@", "["..."`", "{"..."~"),
        "space": space,
        "upper": CharacterRanges(ascii: "A"..."Z"),
        "xdigit": CharacterRanges(ascii: "0"..."9", "A"..."F", "a"..."f"),
    ]
}

extension [ClosedRange<UInt32>] {
    /// Whether one of those at `places`, which are in ascending order, has the character.
    func contain(_ character: UInt32, in places: Range<Int>) -> Bool {
        var (low, high) = (places.lowerBound, places.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].upperBound < character { low = middle + 1 } else { high = middle }
        }
        return low < places.upperBound && self[low].lowerBound <= character
    }
}
