import GlimpseTesting
import Observations
import Settings
import Testing

/// Pictures of the corpus in four rotations. A value that the decoder reads upright is also read turned. Values that are
/// read by likelihood may lie near the limit, so they are not compared.
@Suite(.enabled(if: SharedData.has("corpora/barcodes/LICENSE"), "no shared data beside the checkout"))
struct BarcodeRotationTests {
    /// Every n-th picture: some from each of the larger folders.
    private static let stride = 16

    @Test(arguments: [RotationSetting.Degrees.ninety, .oneEighty, .twoSeventy])
    func turnedPicturesGiveEqualBarcodes(_ degrees: RotationSetting.Degrees) throws {
        let detector = try barcodeDetector(.hard)
        func read(_ path: String, _ degrees: RotationSetting.Degrees) throws -> [Barcode] {
            try detector.detect(in: CorpusPicture.frame(path, turned: degrees)).compactMap(\.barcode)
        }
        var compared = 0
        for index in Swift.stride(from: 0, to: CorpusPicture.all.count, by: Self.stride) {
            let path = CorpusPicture.all[index]
            let upright = Set(try read(path, .zero).filter { $0.evidenceFrames == nil }.map(\.bytes))
            #expect(Set(try read(path, degrees).map(\.bytes)).isSuperset(of: upright), "\(path)")
            compared += upright.count
        }
        #expect(compared > 20)
    }
}
