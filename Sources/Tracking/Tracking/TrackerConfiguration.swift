// SPDX-License-Identifier: Apache-2.0
/// How a tracker associates and when a track begins and ends.
///
/// The presets and their values are from the project's tracking measurements on MOT17, MOT20 and DanceTrack. The values
/// for faces are partly from heads made from MOT17's people; the values for barcodes are extrapolated.
/// `docs/performance/tracking.md` has the numbers of today.
public struct TrackerConfiguration: Sendable, Equatable {
    /// Matched detections before `detected`. Strong evidence needs only one (see `certainScore`).
    public var hits = 2
    /// The time, or the number of frames, after which an unseen track is completed.
    public var gap = GapRule.time(limit: 1)
    /// Detections below this are ignored, 0...1.
    public var low: Float = 0.1
    /// Detections below this only continue tracks, 0...1.
    public var high: Float = 0.6
    /// Detections below this start no track, 0...1.
    public var birth: Float = 0.7
    /// A first detection of at least this score, or with a payload, is believed at once.
    public var certainScore: Float = 0.9
    /// A time step (seconds) longer than this, or a negative one, is a discontinuity. Not used with `GapRule.frames`.
    public var longestStep = 5.0
    /// Live tracks at most. A birth beyond it takes the place of the track that is missing longest; where none is, it
    /// is refused.
    public var capacity = 256
    /// Least overlap of a track's region and a detection in the first pass, 0...1.
    public var tightOverlap: Float = 0.2
    /// Least overlap after absence, 0...1. The region of the track has grown by the buffer then.
    public var wideOverlap: Float = 0.3
    /// Growth of the match region, in standard deviations of the motion filter.
    public var uncertaintyGain = 0.5
    /// Greatest growth of the match region, in sizes of the box.
    public var bufferLimit = 0.6
    /// Growth of the match region for a second of absence, in sizes of the box.
    public var bufferRate = 2.0
    /// Whether similarity is also weighed by how much the two boxes' heights overlap: for upright things on a common
    /// ground.
    public var heightModulation = false
    /// Whether tracks follow their common displacement in a frame: a camera that pans, shakes or is carried. Ids then
    /// survive the camera's motion. In return, things that move together (a row of dancers) now and then lose an id if
    /// few other things are in view.
    public var cameraShift = true
    /// Velocity decay of missing tracks in seconds; nil: none.
    public var missingVelocityDecay: Double?
    /// The rules for features with a payload, such as barcodes.
    public var payloads = PayloadRules()
    /// The rules for faces.
    public var faces = FaceRules()

    /// Classes that may continue each other's tracks.
    public var confusables: Confusables = []
    /// How many seconds a completed track of a symbol or of a scene's label is remembered for `Track.previous`; 0: not
    /// at all.
    public var reentry = 10.0
    /// Whether tracks carry the motion filter's own box.
    public var smoothedBox = false
    /// Tracks reported at a time, missing ones too; nil: all. More are followed and wait, the most prominent first,
    /// until one ends.
    public var reportLimit: Int?
    /// Whether the most prominent object is marked as such.
    public var marksProminent = false
    /// Detections of an object before its answers are complete; before that, and while its class is in doubt, they are
    /// marked. 0: never.
    public var completeHits = 0

    /// Whether detections continue tracks. Without, none does: an id means nothing (see `untracked`).
    public package(set) var associates = true

    /// When an unseen track is completed.
    public enum GapRule: Sendable, Equatable {
        /// Unseen for more than `limit` seconds and for at least two runs of the detector.
        case time(limit: Double)
        /// Mobile Vision's `maxGapFrames`: `limit` absent frames are `missing`, the next one completes.
        case frames(limit: Int)
    }

    /// General values. `object`, `face` and the other presets are measured for one kind of feature.
    public init() {}

    /// The preset for objects.
    public static let object: TrackerConfiguration = {
        var configuration = TrackerConfiguration()
        configuration.birth = 0.6
        configuration.wideOverlap = 0.35
        configuration.heightModulation = true
        // With heights weighed, a region that grows with uncertainty measured worse at every rate.
        configuration.uncertaintyGain = 0
        return configuration
    }()

    /// The preset for faces.
    public static let face: TrackerConfiguration = {
        var configuration = TrackerConfiguration()
        configuration.low = 0.3
        configuration.tightOverlap = 0.1
        configuration.bufferLimit = 0.8
        configuration.bufferRate = 3
        return configuration
    }()

    /// The preset for barcodes.
    public static let barcode: TrackerConfiguration = {
        var configuration = TrackerConfiguration()
        configuration.low = 0.3
        configuration.high = 0.5
        configuration.birth = 0.5
        configuration.hits = 3
        configuration.gap = .time(limit: 2)
        configuration.bufferLimit = 1
        configuration.bufferRate = 4
        return configuration
    }()

    /// Labels of a picture: each stays where it is, and the detector itself says which are there.
    public static let scene: TrackerConfiguration = {
        var configuration = TrackerConfiguration()
        configuration.hits = 1
        configuration.low = 0
        configuration.cameraShift = false
        return configuration
    }()

    /// This without tracking: each sighting is a track of its own, that ends in the next frame.
    public var untracked: TrackerConfiguration {
        var configuration = self
        configuration.associates = false
        configuration.hits = 1
        configuration.gap = .frames(limit: 0)
        configuration.reentry = 0
        return configuration
    }

    /// Objects whose motion cannot be foretold: they stop and turn at once, and come back from behind others.
    public static let erratic: TrackerConfiguration = {
        var configuration = object
        configuration.gap = .time(limit: 2)
        configuration.missingVelocityDecay = 1
        return configuration
    }()
}
