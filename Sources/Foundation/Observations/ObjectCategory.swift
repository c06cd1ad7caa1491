// SPDX-License-Identifier: Apache-2.0
/// The sort of an object: ML Kit's five coarse categories, and everything else.
public enum ObjectCategory: String, Sendable, Codable, CaseIterable {
    case fashionGood = "fashion_good"
    case food
    case homeGood = "home_good"
    case place
    case plant
    case unknown
}
