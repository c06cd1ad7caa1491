// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Observations

/// Names of classes; `EndToEndTests` has the whole table.
@Suite struct ObjectCategoryTests {
    @Test(arguments: [
        ("bottle", ObjectCategory.homeGood), ("Bottle", .homeGood), ("pizza", .food), ("hot_dog", .food),
        ("potted plant", .plant), ("pottedplant", .plant), ("handbag", .fashionGood), ("castle", .place),
        ("n07753592 banana", .food), ("n02980441 castle", .place), ("n04591713 wine bottle", .homeGood),
        ("n03594945 jean, blue jean, denim", .fashionGood), ("nail", .unknown), ("n", .unknown), ("n1", .unknown),
        ("person", .unknown), ("", .unknown), (",", .unknown), ("no such thing", .unknown),
    ])
    func categoryOfEachObjectClass(label: String, category: ObjectCategory) {
        #expect(ObjectCategory(label: label) == category)
    }
}
