// SPDX-License-Identifier: Apache-2.0
import ModelCatalog
import Settings
import Testing

@testable import Installation

/// The texts of ImageNet's classes.
@Suite struct SceneLabelTextTests {
    @Test func rudeSceneLabelsHaveNeutralTexts() {
        let synsets = "n01514668 cock\nn03825788 nipple\nn02109961 Eskimo dog, husky\nn01440764 tench, Tinca tinca\n"
        #expect(ModelLabels.Format.synset.labels(of: synsets) == ["rooster", "bottle teat", "husky", "tench"])
        #expect(ModelLabels.Format.lines.labels(of: "cock\n") == ["cock"])
    }
}
