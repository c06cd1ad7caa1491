// SPDX-License-Identifier: Apache-2.0
import Detectors
import Observations
import Settings

/// Turns the proposed boxes of a frame into detections by the settings.
struct ObjectSelection {
    private let settings: ObjectSettings
    private let labels: [String]
    /// Whether each class is wanted; nil: all are.
    private let isWanted: [Bool]?

    /// - Parameter labels: the model's classes by index; a class beyond them is called by its number.
    init(_ settings: ObjectSettings, labels: [String], model: String) throws(DetectorError) {
        self.settings = settings
        self.labels = labels
        for wanted in settings.labels where !labels.contains(wanted) {
            throw DetectorError(
                "the model \(model) has no class \"\(wanted)\" (labels); "
                    + (didYouMean(wanted, among: labels) ?? "it has \(labels.count) others"))
        }
        isWanted = settings.labels.isEmpty ? nil : labels.map(settings.labels.contains)
    }

    /// Whether two boxes on one thing are one, whatever their classes. Without classes nobody could tell them apart.
    private var isClassAgnostic: Bool { settings.classAgnostic || !settings.classify }

    /// - Parameters:
    ///   - boxes: in pixels of the picture, overlapping ones too, in any order. Their content afterwards is
    ///     unspecified.
    ///   - maximumOverlap: intersection over union above which two boxes are one thing.
    /// - Returns: surest first. In single mode no more than are wanted, and the most prominent one is marked; it is
    ///   first where any thing is wanted.
    func objects(_ boxes: inout [ClassifiedBox], maximumOverlap: Float, width: Float, height: Float) -> [Detection] {
        let smallest = Float(settings.minSize) * max(width, height)
        boxes.removeAll { candidate in
            !wants(candidate.classIndex) || max(candidate.box.width, candidate.box.height) < smallest
        }
        boxes.suppressOverlaps(above: maximumOverlap, perClass: true, candidates: 1000, limit: 300)
        removeProposalsOnClasses(&boxes, maximumOverlap)
        var objects: [(box: ClassifiedBox, others: [ClassifiedBox])] = []
        for candidate in boxes {
            let same = isClassAgnostic ? objects.firstIndex { candidate.isOn($0.box, maximumOverlap) } : nil
            if let same {
                if settings.classify { objects[same].others.append(candidate) }
            } else {
                objects.append((candidate, []))
            }
        }
        let detections = objects.compactMap { object, others in
            object.box.clipped(width: width, height: height).map { box in
                Detection(box: box, confidence: object.score, content: .object(content([object] + others)))
            }
        }
        return settings.mode == .single ? mostProminent(of: detections, width: width, height: height) : detections
    }

    /// A thing that has a class is no proposal besides, though the network may be surer of the thing than of its class.
    private func removeProposalsOnClasses(_ boxes: inout [ClassifiedBox], _ maximumOverlap: Float) {
        guard settings.any else { return }
        let classed = boxes.filter { $0.classIndex != ClassifiedBox.noClass }
        boxes.removeAll { box in
            box.classIndex == ClassifiedBox.noClass && classed.contains { box.isOn($0, maximumOverlap) }
        }
    }

    private func wants(_ index: Int) -> Bool {
        guard let isWanted else { return true }
        return isWanted.indices.contains(index) && isWanted[index]
    }

    private func content(_ boxes: [ClassifiedBox]) -> ObjectLabels {
        guard settings.classify else { return ObjectLabels() }
        let isLabel = { (box: ClassifiedBox) in
            box.classIndex != ClassifiedBox.noClass && box.score >= Float(settings.labelConfidence)
        }
        let labels = boxes.lazy.filter(isLabel).prefix(settings.maxLabels)
            .map { Label(text: name($0.classIndex), index: $0.classIndex, confidence: $0.score) }
        return ObjectLabels(
            labels: Array(labels), category: labels.first.map { ObjectCategory(label: $0.text) } ?? .unknown)
    }

    private func name(_ index: Int) -> String {
        labels.indices.contains(index) ? labels[index] : "\(index)"
    }

    /// In a stream the tracker chooses, so that the choice holds from frame to frame.
    private func mostProminent(of detections: [Detection], width: Float, height: Float) -> [Detection] {
        let ranked = detections.enumerated().map { (place: $0, rank: $1.box.prominence(width: width, height: height)) }
            .sorted { ($1.rank, $0.place) < ($0.rank, $1.place) }
            .prefix(settings.multiple ? settings.maxObjects : 1)
        let places = ranked.map(\.place)
        var kept = (settings.any ? places : places.sorted()).map { detections[$0] }
        guard let best = ranked.first, let place = kept.firstIndex(of: detections[best.place]),
            case .object(var object) = kept[place].content
        else { return kept }
        object.isProminent = true
        kept[place].content = .object(object)
        return kept
    }
}

extension ClassifiedBox {
    fileprivate func isOn(_ other: ClassifiedBox, _ maximumOverlap: Float) -> Bool {
        classIndex != other.classIndex && box.intersectionOverUnion(other.box) > maximumOverlap
    }
}
