// SPDX-License-Identifier: Apache-2.0
/// One thing that a detector saw in one frame. It has no identity yet: that is the tracker's to give.
public struct Detection: Sendable, Equatable, Codable {
    /// Pixels of the upright picture, clipped to it.
    public var box: Box
    /// 0...1, or nil where the detector has none (a decoded barcode is certain).
    public var confidence: Float?
    /// The attributes of the feature, by its kind.
    public var content: Content

    /// The attributes of a feature.
    public enum Content: Sendable, Equatable, Codable {
        case face(Face)
        case barcode(Barcode)
        case object(ObjectLabels)
        case scene(SceneLabels)
        case custom(CustomFeature)
    }

    public init(box: Box, confidence: Float?, content: Content) {
        self.box = box
        self.confidence = confidence
        self.content = content
    }

    /// The kind of the feature.
    public var kind: FeatureKind { content.kind }
}

extension Detection.Content {
    /// The kind of the feature.
    public var kind: FeatureKind {
        switch self {
        case .face: .face
        case .barcode: .barcode
        case .object: .object
        case .scene: .scene
        case .custom(let feature): feature.kind
        }
    }

    /// The corners of the feature; nil where its detector knows only a box.
    public var corners: Quadrilateral? {
        switch self {
        case .barcode(let barcode): barcode.corners
        case .custom(let feature): feature.corners
        case .face, .object, .scene: nil
        }
    }

    /// The labels of the feature, best first; empty for kinds without labels. Setting the labels of an object with a
    /// category also sets its category, by the first label.
    public var labels: [Label] {
        get {
            switch self {
            case .object(let object): object.labels
            case .scene(let scene): scene.labels
            case .face, .barcode, .custom: []
            }
        }
        set {
            switch self {
            case .object(var object):
                object.labels = newValue
                if object.category != nil, let first = newValue.first {
                    object.category = ObjectCategory(label: first.text)
                }
                self = .object(object)
            case .scene: self = .scene(SceneLabels(labels: newValue))
            case .face, .barcode, .custom: break
            }
        }
    }
}

/// The detections of one detector in one frame, handed to every tracker callback (Mobile Vision's *Detections*).
public struct DetectionResults: Sendable, Equatable {
    /// The name of the detector.
    public var detector: String
    /// The frame.
    public var frame: FrameInfo
    /// The detections in the frame, in the detector's order.
    public var detections: [Detection]
    /// False while the detector cannot work (missing model, say); `detections` is then empty.
    public var detectorIsOperational: Bool
    /// The frame showed the detector nothing new: `detections` are those of its last run, on an earlier frame.
    public var isReused = false

    public init(detector: String, frame: FrameInfo, detections: [Detection], detectorIsOperational: Bool = true) {
        self.detector = detector
        self.frame = frame
        self.detections = detections
        self.detectorIsOperational = detectorIsOperational
    }
}
