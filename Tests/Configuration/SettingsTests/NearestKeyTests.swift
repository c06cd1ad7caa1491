// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Settings

struct NearestKeyTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("width", "widht", 1), ("kitten", "sitting", 3), ("abc", "abc", 0), ("ab", "ba", 1),
    ])
    func editDistancesOfKeys(first: String, second: String, distance: Int) {
        #expect(editDistance(first, second) == distance)
        #expect(editDistance(second, first) == distance)
    }

    @Test(arguments: [
        ("widht", "did you mean \"width\"?"), ("WIDTH", "did you mean \"width\"?"),
        ("hieght", "did you mean \"height\"?"),
        ("colour", nil), ("", nil), (String(repeating: "w", count: 100_000), nil),
    ])
    func unknownKeysSuggestTheNearestKey(word: String, suggestion: String?) {
        #expect(didYouMean(word, among: ["height", "width"]) == suggestion)
    }
}
