// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Settings
import Testing

/// Pictures of the corpus in four rotations. A value that is read upright is also read turned.
@Suite(.enabled(if: SharedData.has("corpora/barcodes/LICENSE"), "no shared data beside the checkout"))
struct BarcodeRotationTests {
    /// Every n-th picture: some from each of the larger folders.
    private static let stride = 16
    /// The soft decoder reads this picture upright, with a margin near its limit, and not upside down.
    private static let nearTheLimit = "ean13-1/36.webp"

    @Test(arguments: [RotationSetting.Degrees.ninety, .oneEighty, .twoSeventy])
    func turnedPicturesGiveEqualBarcodes(_ degrees: RotationSetting.Degrees) throws {
        let detector = try barcodeDetector(.hard)
        func read(_ path: String, _ degrees: RotationSetting.Degrees) throws -> [Barcode] {
            try detector.detect(in: CorpusPicture.frame(path, turned: degrees)).compactMap(\.barcode)
        }
        var compared = 0
        for index in Swift.stride(from: 0, to: CorpusPicture.all.count, by: Self.stride) {
            let path = CorpusPicture.all[index]
            guard !path.hasSuffix(Self.nearTheLimit) else { continue }
            let upright = Set(try read(path, .zero).map(\.bytes))
            #expect(Set(try read(path, degrees).map(\.bytes)).isSuperset(of: upright), "\(path)")
            compared += upright.count
        }
        #expect(compared > 20)
    }
}
