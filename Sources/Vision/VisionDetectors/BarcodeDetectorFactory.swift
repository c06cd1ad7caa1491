// SPDX-License-Identifier: Apache-2.0
import Detectors
import Observations
import Settings

/// Makes the ZXing reader.
package struct BarcodeDetectorFactory: DetectorFactory {
    package let name: String
    package let kind = FeatureKind.barcode
    private let settings: BarcodeSettings

    package init(_ settings: BarcodeSettings, name: String = "barcode") {
        self.settings = settings
        self.name = name
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        LoadedDetector(try ZXingDetector(settings), model: "zxing")
    }
}
