// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

@testable import Observations

/// The coarse category of each class of COCO and of ImageNet, as in the documentation.
@Suite(.enabled(if: SharedData.has("models/imagenet_synset.txt"), "no shared data beside the checkout"))
struct ObjectCategoryTableTests {
    private func lines(_ name: String) throws -> [String] {
        try String(contentsOfFile: SharedData.path("models/\(name)"), encoding: .utf8)
            .split(whereSeparator: \.isNewline).map(String.init)
    }

    private func rows(_ labels: [String], listsUnknown: Bool) -> [String] {
        ["| category | classes | |", "|---|---|---|"]
            + ObjectCategory.allCases.map { category in
                let names = labels.filter { ObjectCategory(label: $0) == category }.map(name)
                let shown = category != .unknown || listsUnknown ? names.joined(separator: ", ") : "all others"
                return "| `\(category.rawValue)` | \(names.count) | \(shown) |"
            }
    }

    /// Without WordNet's number, and the first of several names.
    private func name(_ label: String) -> String {
        let words = label.split(separator: " ", maxSplits: 1)
        let isSynset = words.count == 2 && words[0].first == "n" && words[0].dropFirst().allSatisfy(\.isNumber)
        return String((isSynset ? words[1] : label[...]).prefix { $0 != "," })
    }

    @Test func everyClassOfCOCOHasItsCategory() throws {
        let classes = try lines("coco.names")
        #expect(classes.count == 80)
        try GoldenBlock(file: "docs/reference/objects.md", name: "coco categories").expect(
            rows(classes, listsUnknown: true))
    }

    @Test func everyClassOfImageNetHasItsCategory() throws {
        let classes = try lines("imagenet_synset.txt")
        #expect(classes.count == 1000)
        try GoldenBlock(file: "docs/reference/objects.md", name: "imagenet categories").expect(
            rows(classes, listsUnknown: false))
    }

    /// A name that is in neither list is a typing error.
    @Test func noNameOfTheTableIsInvented() throws {
        // COCO's own names where coco.names has Darknet's.
        let others = ["couch", "dining table", "potted plant", "tv"]
        let known = try lines("coco.names") + lines("imagenet_synset.txt").map(name) + others
        #expect(Set(ObjectCategory.names).subtracting(known.map { $0.lowercased() }) == [])
    }
}
