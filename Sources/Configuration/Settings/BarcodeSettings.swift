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
    package var scan = Scan.stream
    package var identity = Identity.valueAndPosition
    package var confirmReads = ConfirmReads.auto
    /// Also report symbols that were found but not read.
    package var reportUndecoded = false
    /// Seconds in which a value whose track has been completed is not detected again. Not negative.
    package var cooldown = Duration.zero
    /// Patterns of which a value must contain one (empty: any value), and of which it must contain none.
    package var allow: [ValuePattern] = []
    package var deny: [ValuePattern] = []
    /// Typed values: contacts, web addresses, ...
    package var parseValues = true
    /// What of a parsed value never reaches an event.
    package var redact: [BarcodeRedaction] = []

    package enum Effort: String, Sendable, CaseIterable {
        case adaptive, fast
        /// Every frame, everything.
        case hard
    }

    /// What a frame's search knows of the frames before it.
    package enum Scan: String, Sendable, CaseIterable {
        /// Known symbols are followed, the whole picture is searched at a duty cycle.
        case stream
        /// Nothing: every frame is searched whole, for itself.
        case frame
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
