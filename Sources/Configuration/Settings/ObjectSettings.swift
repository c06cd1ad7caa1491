// SPDX-License-Identifier: Apache-2.0
import Observations

/// The `[object]` table.
package struct ObjectSettings: DetectorTable, ComputingTable {
    package var enabled = true
    package var common = DetectorSettings()
    /// A catalogue name, `motion`, or `auto` (the best installed, else `motion`).
    package var model = "auto"
    package var mode = Mode.stream
    /// `false`: only the most prominent.
    package var multiple = true
    /// 1...1000.
    package var maxObjects = 5
    /// Coarse categories and labels.
    package var classify = false
    /// One box for a thing whatever its class; `classify` off has that too.
    package var classAgnostic = false
    /// Things of no class too, as proposals without a label.
    package var any = false
    /// Keep only these; empty = all.
    package var labels: [String] = []
    /// 0...1. A detection with less confidence is no object.
    package var confidence = 0.5
    /// 0...1. Labels that are less sure are left out.
    package var labelConfidence = 0.0
    /// 1...1000, best first.
    package var maxLabels = 10
    /// Longer side of the box as a proportion of the picture's longer side, 0...1.
    package var minSize = 0.0
    /// Moving objects only: an object that rests for this time becomes background. A second to a day.
    package var stillAfter = Duration.seconds(30)
    package var device = "CPU"
    package var threads = 1
    package var tracking = TrackingSettings()

    /// `stream` may use earlier frames; `single` judges each frame alone.
    package enum Mode: String, Sendable, CaseIterable {
        case stream, single
    }

    /// The name of the detector of moving objects, where models are named.
    package static let motion = "motion"

    package static let standard = Self()

    package var kind: FeatureKind { .object }
    package static let keys = rows(
        of: Self.init(
            enabled:common:model:mode:multiple:maxObjects:classify:classAgnostic:any:labels:confidence:
            labelConfidence:maxLabels:minSize:stillAfter:device:threads:tracking:),
        .enabled, .common(),
        .init("model", \.model, .nonEmptyText, .worker, "a model's name, `motion`, or `auto`: the best installed"),
        .init(
            "mode", \.mode, .choice(), .worker, "`stream`: earlier frames help; `single`: each frame by itself"),
        // The tracker chooses among all that is seen. Fewer would end tracks that are in view.
        .init("multiple", \.multiple, .boolean, .worker, isSeen: false, "`false`: only the most prominent object"),
        .init("max_objects", \.maxObjects, .integer(1...1000), .worker, isSeen: false, "tracks reported at a time"),
        .init("classify", \.classify, .boolean, .worker, "`labels`, `category` and `confidence` of objects"),
        .init(
            "class_agnostic", \.classAgnostic, .boolean, .worker,
            "one box for a thing, whatever its classes; always so without `classify`"),
        // A model without objectness makes the detector not operational.
        .init("any", \.any, .boolean, .worker, "also things of no known class, without labels"),
        // An unknown one makes the detector not operational.
        .init("labels", \.labels, .list(.nonEmptyText), .worker, "keep only these classes of the model; `[]`: all"),
        .init("confidence", \.confidence, .proportion, .detector, "objects with less start no track"),
        .init("label_confidence", \.labelConfidence, .proportion, .detector, "labels with less are left out"),
        .init("max_labels", \.maxLabels, .integer(1...1000), .detector, "labels of an object, best first"),
        .init(
            "min_size", \.minSize, .proportion, .detector,
            "least longer side of a box, of the picture's longer side"),
        .init(
            "still_after", \.stillAfter, .duration(.seconds(1), to: .seconds(86400)), .detector,
            "`motion`: a thing that stands still for this time becomes background"),
        .device, .threads,
        // The network gives what the tracker looks at, and no more.
        .tracking(
            focus: [.none, .prominent, .central, .largest, .value], low: .detector,
            confusable: .init(
                "tracking.confusable", \.tracking.confusable, .list(.classGroup), .live,
                "groups of classes that the detector confuses")))

    package func check(_ reader: TableReader) {
        if any, !labels.isEmpty {
            reader.report("labels", "labels does not apply where any = true", suggestion: "proposals have no labels")
        }
        guard model == Self.motion else { return }
        let why = "model = \"\(Self.motion)\" knows no classes"
        if classify { reader.report("classify", "classify needs an object model", suggestion: why) }
        if any { reader.report("any", "any needs an object model", suggestion: why) }
        if !labels.isEmpty { reader.report("labels", "labels needs an object model", suggestion: why) }
        if mode == .single {
            reader.report(
                "mode", "mode \"single\" needs an object model",
                suggestion: "model = \"\(Self.motion)\" compares a frame with those before it")
        }
    }
}
