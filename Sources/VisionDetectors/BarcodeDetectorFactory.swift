import CZXing
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
        guard let reader = czx_reader_create() else { throw DetectorError("no memory for the barcode reader") }
        return LoadedDetector(ZXingDetector(reader, settings), model: "zxing")
    }
}
