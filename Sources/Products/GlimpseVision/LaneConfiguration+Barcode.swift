// SPDX-License-Identifier: Apache-2.0
import Pipelines
import Settings

extension LaneConfiguration {
    /// The time spent on symbols that are hard to read.
    public enum BarcodeEffort: String, Sendable, CaseIterable {
        /// `adaptive` spends a budget on every region that looks like a code. `fast` makes one attempt at the most
        /// code-like regions of a frame.
        case adaptive, fast
        /// Searches every frame completely.
        case hard
    }

    /// Detects barcodes: values, corners, orientation.
    ///
    /// The name of the detector is `barcode`. An option out of range makes the detector not operational.
    ///
    /// - Parameters:
    ///   - formats: the wanted symbologies, at least one. Fewer are faster.
    ///   - reportUndecoded: whether symbols that were found but not read become tracks.
    ///   - region: the part of the picture that is searched, in 0...1.
    public static func barcode(
        formats: Set<Barcode.Format> = Set(Barcode.Format.allCases), effort: BarcodeEffort = .adaptive,
        reportUndecoded: Bool = false, region: Box? = nil
    ) -> LaneConfiguration {
        var settings = BarcodeSettings()
        settings.formats = formats
        settings.effort =
            switch effort {
            case .adaptive: .adaptive
            case .fast: .fast
            case .hard: .hard
            }
        settings.reportUndecoded = reportUndecoded
        settings.common.roi = RegionOfInterest(region)
        return LaneConfiguration(stock: ConfiguredDetector(.barcode(settings)))
    }
}
