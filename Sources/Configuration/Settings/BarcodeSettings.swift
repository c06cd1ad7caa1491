// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Observations

/// The `[barcode]` table.
package struct BarcodeSettings: DetectorTable {
    package var enabled = true
    package var common = DetectorSettings()
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
    /// The parts of a parsed value that never reach an event.
    package var redact: [BarcodeRedaction] = []
    package var tracking = TrackingSettings()

    package enum Effort: String, Sendable, CaseIterable {
        case adaptive, fast
        /// Every frame for itself, by the ways that find most for their time.
        case thorough
        /// Every frame for itself, in every way.
        case hard
    }

    /// The knowledge of earlier frames in a frame's search.
    package enum Scan: String, Sendable, CaseIterable {
        /// Known symbols are followed, the whole picture is searched at a duty cycle.
        case stream
        /// Nothing: every frame is searched whole, for itself.
        case frame
    }

    /// The rule by which two sightings are one item.
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

    package static let standard = Self()

    package var kind: FeatureKind { .barcode }
    package static let keys = rows(
        of: Self.init(
            enabled:common:formats:effort:scan:identity:confirmReads:reportUndecoded:cooldown:allow:deny:
            parseValues:redact:tracking:),
        .enabled, .common(),
        .init("formats", \.formats, .barcodeFormats, .detector, "names as in events; fewer are faster"),
        .init("effort", \.effort, .choice(), .detector, "time for symbols that are hard to read"),
        .init(
            "scan", \.scan, .choice(), .detector,
            "`stream`: earlier frames help; `frame`: each frame by itself"),
        .init("identity", \.identity, .choice(), .live, "`value`: symbols with equal values are one track"),
        .init("confirm_reads", \.confirmReads, .confirmReads, .live, "equal reads before a value is reported"),
        .init(
            "report_undecoded", \.reportUndecoded, .boolean, .detector, "symbols that cannot be read are tracks too"
        ),
        .init(
            "cooldown", \.cooldown, .duration(.zero, to: .seconds(365 * 86400)), .live,
            "for this time after its `completed` a value is not `detected` again"),
        .init(
            "allow", \.allow, .list(.valuePattern), .detector, "a value must contain one of these; `[]`: any value"),
        .init("deny", \.deny, .list(.valuePattern), .detector, "a value must contain none of these"),
        // The events' own, which every lane of the worker shares.
        .init("parse_values", \.parseValues, .boolean, .worker, isSeen: false, "`value_format` and typed values"),
        .init(
            "redact", \.redact, .list(.barcodeRedaction), .worker, isSeen: false,
            "parts of values to leave out of all events"),
        .tracking(focus: [.none, .central, .largest, .value], reentry: .reentry))
}

extension PipelineSettings {
    /// The form in which barcodes' values reach subscribers.
    package var barcodeReporting: BarcodeReporting {
        let tables = runningDetectors.compactMap { $0.table as? BarcodeSettings }
        guard !tables.isEmpty else { return BarcodeReporting(parsesValues: true, redactions: []) }
        // No detector of barcodes shows a value that another one of the pipeline has to hide.
        return BarcodeReporting(
            parsesValues: tables.contains(where: \.parseValues), redactions: Set(tables.flatMap(\.redact)))
    }
}
