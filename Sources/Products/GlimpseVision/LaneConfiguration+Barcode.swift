import Pipelines
import Settings

extension LaneConfiguration {
    /// How much time goes into symbols that are hard to read.
    public enum BarcodeEffort: String, Sendable, CaseIterable {
        case adaptive, fast
        /// Every frame, everything.
        case hard
    }

    /// Barcodes: values, corners, orientation.
    ///
    /// The detector is called `barcode`. Options out of range make it not operational.
    ///
    /// - Parameters:
    ///   - formats: fewer are faster. Not empty.
    ///   - reportUndecoded: symbols that were found and not read are tracks too.
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
        return LaneConfiguration(stock: .barcode(settings))
    }
}
