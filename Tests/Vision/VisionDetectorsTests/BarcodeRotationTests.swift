import GlimpseTesting
import Settings
import Testing

/// Pictures of the corpus in four rotations. A value that is read upright is also read turned.
@Suite(.enabled(if: SharedData.has("corpora/barcodes/LICENSE"), "no shared data beside the checkout"))
struct BarcodeRotationTests {
    /// Every n-th picture: some from each of the larger folders.
    private static let stride = 16

    @Test(arguments: [RotationSetting.Degrees.ninety, .oneEighty, .twoSeventy])
    func turnedPicturesGiveEqualBarcodes(_ degrees: RotationSetting.Degrees) throws {
        let detector = try barcodeDetector(.hard)
        func read(_ path: String, _ degrees: RotationSetting.Degrees) throws -> Set<[UInt8]> {
            Set(try detector.detect(in: CorpusPicture.frame(path, turned: degrees)).compactMap { $0.barcode?.bytes })
        }
        var compared = 0
        for index in Swift.stride(from: 0, to: CorpusPicture.all.count, by: Self.stride) {
            let path = CorpusPicture.all[index]
            let upright = try read(path, .zero)
            #expect(try read(path, degrees).isSuperset(of: upright), "\(path)")
            compared += upright.count
        }
        #expect(compared > 20)
    }
}
