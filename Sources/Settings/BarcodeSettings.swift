import BarcodeValues
import Observations

/// The `[barcode]` table.
package struct BarcodeSettings: Sendable, Equatable {
    package var enabled = true
    package var common = DetectorSettings()
    package var tracking = TrackingSettings()
    /// `["all"]` in the file is all of them. Never empty.
    package var formats = Set(Barcode.Format.allCases)
    package var effort = Effort.adaptive
    package var identity = Identity.valueAndPosition
    package var confirmReads = ConfirmReads.auto
    /// Also report symbols that were found but not read.
    package var reportUndecoded = false
    /// Typed values: contacts, web addresses, ...
    package var parseValues = true
    /// What of a parsed value never reaches an event.
    package var redact: [BarcodeRedaction] = []

    package enum Effort: String, Sendable, CaseIterable {
        case adaptive, fast
        /// Every frame, everything.
        case hard
    }

    /// What makes two sightings the same item.
    package enum Identity: String, Sendable, CaseIterable {
        /// Equal labels side by side are two items.
        case valueAndPosition = "value+position"
        /// Mobile Vision's rule: equal labels are one item.
        case value
    }

    /// Equal reads wanted before a value is believed.
    package enum ConfirmReads: Sendable, Equatable {
        /// Two for symbologies without a strong checksum, else one.
        case auto
        /// 1...100.
        case count(Int)
    }

    package init() {}

    /// What of barcodes' values reaches subscribers.
    package var reporting: BarcodeReporting {
        BarcodeReporting(parsesValues: parseValues, redactions: Set(redact))
    }
}
