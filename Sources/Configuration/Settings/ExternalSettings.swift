// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Observations

/// An `[external.NAME]` table: a detector that is a program.
package struct ExternalSettings: DetectorTable {
    package var enabled = true
    package var common = DetectorSettings()
    /// The kind of its features, none that is built in.
    package var kind: FeatureKind = noKind
    /// The program and its arguments.
    package var command: [String] = []
    package var format = Format.gray8
    /// Pixels. A wider frame is scaled down to it. 16...8192.
    package var width = 1280
    /// The longest wait for an answer.
    package var timeout = Duration.seconds(5)
    /// Whether the program may open network connections.
    package var network = false
    /// Patterns of which a value must contain one (empty: any value), and of which it must contain none.
    package var allow: [ValuePattern] = []
    package var deny: [ValuePattern] = []
    /// A feature whose value contains one of these is reported without its attributes.
    package var redact: [ValuePattern] = []
    package var tracking = TrackingSettings()

    /// The layout of the pixels that the program receives.
    package enum Format: String, Sendable, CaseIterable {
        case gray8, nv12, rgb24
    }

    package static let standard = Self()

    /// Stands for a missing `kind`, which is an error.
    private static let noKind: FeatureKind = FeatureKind(rawValue: "unknown") ?? .object

    package static let keys = rows(
        of: Self.init(enabled:common:kind:command:format:width:timeout:network:allow:deny:redact:tracking:),
        .enabled, .common(),
        .init(
            "kind", \.kind, .customKind, .worker, required: "such as kind = \"plate\"",
            "the name of its features, and of the object that describes them in an event"),
        .init(
            "command", \.command, .command, .worker, required: "such as command = [\"python3\", \"./plates.py\"]",
            "the program and its arguments; `./` and `../` start at this file's folder"),
        .init("format", \.format, .choice(), .detector, "the pixels that the program receives"),
        .init("width", \.width, .integer(16...8192), .detector, "a wider frame is scaled down to this width"),
        .init(
            "timeout", \.timeout, .duration(.milliseconds(10), to: .seconds(20)), .detector,
            "the program is ended if an answer takes longer"),
        .init("network", \.network, .boolean, .worker, "whether the program may open connections"),
        .init(
            "allow", \.allow, .list(.valuePattern), .detector,
            "the attribute `value` must contain one of these; `[]`: any value"),
        .init("deny", \.deny, .list(.valuePattern), .detector, "the attribute `value` must contain none of these"),
        .init(
            "redact", \.redact, .list(.valuePattern), .detector,
            "a feature whose `value` contains one of these has no other attribute than `redacted`"),
        .tracking(focus: [.none, .central, .largest, .value], reentry: .reentry))
}
