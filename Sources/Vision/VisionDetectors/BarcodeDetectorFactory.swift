import Detectors
import Observations
import Settings

/// Makes the ZXing reader.
package struct BarcodeDetectorFactory: DetectorFactory {
    package let name = "barcode"
    package let kind = FeatureKind.barcode
    private let settings: BarcodeSettings

    package init(_ settings: BarcodeSettings) {
        self.settings = settings
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        LoadedDetector(try ZXingDetector(settings), model: "zxing")
    }
}
