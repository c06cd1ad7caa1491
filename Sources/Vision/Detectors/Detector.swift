// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations

/// Finds features in frames. Made, used and destroyed by one thread: it is not `Sendable`, its factory is.
public protocol Detector: AnyObject {
    /// The features in the frame, in pixels of the upright picture. A result depends on no state of the detector but
    /// its focus and, if it uses `expect`, the features of the stream's earlier frames. It never depends on a clock.
    ///
    /// Throwing costs this one frame of this one lane.
    func detect(in frame: Frame) throws(DetectorError) -> [Detection]

    /// Whether the detector can work now. It becomes false when the detector loses something that it needs, and may
    /// become true again. While it is false, `detect` is not called and results come empty.
    ///
    /// A detector that cannot work from the start is not made at all: `DetectorFactory.makeDetector` throws.
    var isOperational: Bool { get }

    /// Tells that only what was at `box` (pixels) is wanted from now on, until it is lost; nil: everything again.
    /// Trackers work whether the detector makes use of it or not.
    func setFocus(_ box: Box?)

    /// Tells where the live tracks should be in the frame that `detect` is called with next. A detector that can look
    /// there first asks for them; for others nothing is computed.
    func expect(_ hints: () -> [TrackHint])

    /// Tells that a frame shows nothing new, so that the result of the last `detect` holds for this frame too. For
    /// detectors whose results depend on time.
    func pass(_ frame: FrameInfo)

    /// Gives memory back that only `detect` needs; the next call allocates it again. Called while frames show nothing
    /// new, at most once between two calls of `detect`.
    func rest()

    /// The features of the last frame that the detector's settings kept out of `detect`'s result, with reasons, for
    /// `--explain`.
    var withheld: [Explanation.Untracked] { get }

    /// The boxes of all further features that the last `detect` found and left out of its result. Pictures that leave
    /// cover them too.
    var unreported: [Box] { get }
}

extension Detector {
    /// Ignores the places.
    public func expect(_ hints: () -> [TrackHint]) {}
    /// Does nothing.
    public func pass(_ frame: FrameInfo) {}
    /// Does nothing.
    public func rest() {}
    /// Empty.
    public var withheld: [Explanation.Untracked] { [] }
    /// Empty.
    public var unreported: [Box] { [] }
    /// true.
    public var isOperational: Bool { true }
    /// Ignores the focus.
    public func setFocus(_ box: Box?) {}
}

/// Makes a detector on the thread that will use it.
public protocol DetectorFactory: Sendable {
    /// Unique in a pipeline; events carry it.
    var name: String { get }
    /// The kind of all features that the detector finds.
    var kind: FeatureKind { get }

    /// Throws when the detector cannot work on this machine: it is then *not operational*, for the reason that the
    /// error gives.
    func makeDetector() throws(DetectorError) -> LoadedDetector
}

/// A detector that is operational and what it runs.
public struct LoadedDetector {
    /// The detector. The thread that made it uses and destroys it.
    public var detector: any Detector
    /// The model's name, for people; nil without a model.
    public var model: String?
    /// A remark on a working detector, such as a fallback in use; nil otherwise.
    public var remark: String?
    /// The part of the picture whose pixels alone decide what the detector sees. A lane may then count the last
    /// detections again for a frame that shows nothing new there. nil: the detector has to see every frame.
    public var region: NormalizedRegion?
    /// Whether every frame changes what the detector finds in later ones, so that no source may leave frames out.
    public var learnsFromEveryFrame = false
    /// All labels that its detections may have; nil if they are not known.
    public var labels: [String]?

    public init(
        _ detector: any Detector, model: String? = nil, remark: String? = nil, region: NormalizedRegion? = nil,
        labels: [String]? = nil
    ) {
        self.labels = labels
        self.detector = detector
        self.model = model
        self.remark = remark
        self.region = region
    }
}

/// A failure with its reason, and with advice if there is any.
public struct DetectorError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason, for people: `status`, `doctor` and the `detector` line show it.
    public var description: String
    /// Whether the detector cannot go on. Otherwise a failure costs one frame, and only a row of failures the detector.
    /// A detector that ends is made again after a second, and after twice the time each time that it ends again.
    public var endsDetector: Bool

    /// By default the failure costs one frame.
    public init(_ description: String, endsDetector: Bool = false) {
        self.description = description
        self.endsDetector = endsDetector
    }
}
