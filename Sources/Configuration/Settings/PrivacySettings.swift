// SPDX-License-Identifier: Apache-2.0
import Observations

/// The `[privacy]` table: what is covered in every picture that leaves the pipeline's worker.
package struct PrivacySettings: Sendable, Equatable {
    package enum Style: String, Sendable, CaseIterable {
        /// At most eight blocks across a covered region.
        case pixelate
        /// Flat grey.
        case fill
    }

    /// Kinds of feature, or labels of objects.
    package var blur: [String] = []
    package var style = Style.pixelate
    /// A proportion of the box's width and height, added on each side. 0...2.
    package var margin = 0.2
    /// How long a region stays covered after its feature was last seen, in the stream's time.
    package var hold = Duration.seconds(1)
    /// `false`: no picture of the pipeline leaves the worker.
    package var pictures = true

    package static let standard = Self()
}

extension PrivacySettings: KeyedTable {
    package static let keys = rows(
        of: Self.init(blur:style:margin:hold:pictures:),
        .init(
            "blur", \.blur, .list(.nonEmptyText), .worker,
            "kinds (`face`, `barcode`, `object`) or labels of objects that every picture covers; `[]`: none"),
        .init(
            "style", \.style, .choice(), .worker,
            "`pixelate`: at most eight blocks across the region; `fill`: flat grey"),
        .init("margin", \.margin, .number(0...2), .worker, "of the box's width and height, covered on each side"),
        .init(
            "hold", \.hold, .duration(.zero, to: .seconds(60)), .worker,
            "a region stays covered for this time after its feature was last seen"),
        .init(
            "pictures", \.pictures, .boolean, .worker,
            "`false`: no picture of the pipeline leaves the worker, whatever else is configured"))

    init(_ reader: TableReader) {
        decode(reader)
        reader.finish()
    }

    /// Reports what `blur` names and the pipeline's detectors cannot give for the whole picture.
    func check(_ pipeline: PipelineSettings, _ reader: TableReader) {
        for word in blur {
            guard let problem = pipeline.coveringObstacle(word) else { continue }
            reader.report("blur", "blur: \(problem.problem)", suggestion: problem.advice)
        }
    }
}

extension PipelineSettings {
    /// Whether a word of `blur` names a kind; otherwise it is a label of objects.
    private func isKind(_ word: String) -> Bool {
        FeatureKind.builtIn.contains { $0.rawValue == word } || detectors.contains { $0.kind.rawValue == word }
    }

    /// The running detectors that a word of `blur` needs: all of its kind, or those that may give the label.
    package func coveringDetectors(_ word: String) -> [ConfiguredDetector] {
        if isKind(word) { return runningDetectors.filter { $0.kind.rawValue == word } }
        let objects = runningDetectors.filter { $0.kind == .object }
        let giving = objects.filter { detector in
            guard case .object(let object) = detector.settings else { return false }
            return object.labels.isEmpty || object.labels.contains(word)
        }
        return giving.isEmpty ? objects : giving
    }

    fileprivate func coveringObstacle(_ word: String) -> (problem: String, advice: String)? {
        let isKind = isKind(word)
        if word == FeatureKind.scene.rawValue {
            return (
                "a scene cannot be covered, because its labels belong to the whole picture",
                "name face, barcode or object"
            )
        }
        let detectors = coveringDetectors(word)
        guard !detectors.isEmpty else {
            return isKind
                ? ("no detector gives \(quoted(word))", "add a [\(word)] table")
                : ("no detector gives \(quoted(word))", "add [object] with classify = true, or name a kind")
        }
        for detector in detectors {
            let (name, table) = (detector.name, detector.table)
            if table.common.roi != .full {
                return ("\(name).roi hides features outside from it", "remove roi; [[mask]] paints over parts")
            }
            guard case .object(let object) = detector.settings else { continue }
            if object.minSize > 0 { return ("\(name).min_size hides smaller objects from it", "remove min_size") }
            if object.mode == .single { return ("\(name).mode = \"single\" hides objects from it", "remove mode") }
            guard !isKind else { continue }
            if !object.classify { return ("labels need classify", "set classify = true in [object]") }
            if !object.labels.isEmpty, !object.labels.contains(word) {
                return ("\(name).labels leaves out \(quoted(word))", "add it to labels")
            }
        }
        return nil
    }
}
