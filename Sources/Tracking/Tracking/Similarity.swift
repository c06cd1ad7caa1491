// SPDX-License-Identifier: Apache-2.0
import Glibc
import Observations

/// Where a track may be in a frame: its predicted box and how far the box may be off, as numbers for the association's
/// loops. Pixels.
struct MatchRegion: Sendable {
    var box: Box
    var lastBox: Box
    var size: Float
    /// By the filter's own uncertainty, for every side.
    var margin: Point
    /// The growth of a box by absence, in the wide pass.
    var buffer: Float
    /// Seconds since the track was last seen.
    var elapsed: Float
    /// `exp(-elapsed / 2 s)`: of two that might be it, the one that was seen last.
    var presence: Float
    var cues: Cues
    /// Whether the payload was read often enough.
    var isBelieved: Bool
    var isConfirmed: Bool
    /// Matched in the frame before this one.
    var isPresent: Bool
    /// Seen once, so that its velocity is not known.
    var isMotionless: Bool
    /// Its prediction is good enough to tell the camera's motion.
    var isReference: Bool

    init(_ feature: FollowedFeature, frame: FrameInfo, configuration: TrackerConfiguration) {
        let (size, uncertainty) = (feature.filter.size, feature.filter.uncertainty)
        let elapsed = frame.seconds - feature.lastSeenSeconds
        func margin(_ uncertainty: Double) -> Float {
            Float(min(configuration.uncertaintyGain * uncertainty, 0.6 * size))
        }
        box = feature.filter.box
        lastBox = feature.detection.box
        self.size = Float(size)
        self.margin = Point(x: margin(uncertainty.x), y: margin(uncertainty.y))
        buffer = Float(min(configuration.bufferLimit, configuration.bufferRate * elapsed) * size)
        self.elapsed = Float(elapsed)
        presence = Float(exp(-elapsed / 2))
        cues = feature.cues
        isBelieved = feature.readings.isBelieved
        isConfirmed = feature.isConfirmed
        isPresent = feature.missingFrames == 0
        isMotionless = feature.hits == 1
        isReference = isConfirmed && isPresent && feature.hits >= 3
    }

    /// Intersection over union after both boxes have grown by the same margins, so that equal boxes still score 1.
    ///
    /// - Parameter modulated: multiplies by the overlap of the heights over their union (Yang et al. 2024,
    ///   Hybrid-SORT). The heights are those of the boxes as they are, because grown ones measured worse.
    func overlap(_ candidate: Candidate, isWide: Bool, modulated: Bool) -> Float {
        let (x, y) = (margin.x + (isWide ? buffer : 0), margin.y + (isWide ? buffer : 0))
        let other = candidate.box
        let width = min(box.maxX, other.maxX) - max(box.x, other.x) + 2 * x
        let height = min(box.maxY, other.maxY) - max(box.y, other.y) + 2 * y
        guard width > 0, height > 0 else { return 0 }
        let common = width * height
        let mine = (box.width + 2 * x) * (box.height + 2 * y)
        let union = mine + (other.width + 2 * x) * (other.height + 2 * y) - common
        guard modulated else { return common / union }
        return common / union * max(0, height - 2 * y) / (max(box.maxY, other.maxY) - min(box.y, other.y))
    }

    /// The square of the smaller height over the larger one. A height changes slowly, so it tells neighbours apart
    /// where their places do not (Yang et al. 2024). The square measured best of the powers 0 to 4.
    func heightLikeness(_ candidate: Candidate) -> Float {
        let ratio = min(box.height, candidate.box.height) / max(box.height, candidate.box.height)
        return ratio * ratio
    }

    /// In sizes, from where it is foretold or from where it was last seen: what carries a payload may be put down
    /// anywhere.
    func distanceOfPayload(_ candidate: Candidate) -> Float {
        let (center, last) = (candidate.box.center, lastBox.center)
        return min(distance(candidate), hypotf(center.x - last.x, center.y - last.y) / size)
    }

    /// Whether the candidate may be this track though the prediction fails. A track that was seen once may have moved
    /// at the filter's fastest velocity, and the detector may be off by half a size. A track of the frame before may
    /// have turned: its last box must overlap the candidate's.
    func reaches(_ candidate: Candidate, overlap: Float) -> Bool {
        if isMotionless { return distance(candidate) <= min(3, Float(BoxFilter.fastest) * elapsed + 0.5) }
        return isPresent && lastBox.intersectionOverUnion(candidate.box) >= overlap
    }

    /// Whether both sides' ratios, the smaller over the larger, are at least `least`.
    func isAlike(_ candidate: Candidate, least: Float) -> Bool {
        let other = candidate.box
        return min(box.height, other.height) >= least * max(box.height, other.height)
            && min(box.width, other.width) >= least * max(box.width, other.width)
    }

    /// From the predicted centre to the candidate's, in pixels.
    func displacement(_ candidate: Candidate) -> Point {
        let (from, to) = (box.center, candidate.box.center)
        return Point(x: to.x - from.x, y: to.y - from.y)
    }

    /// The length of `displacement` in sizes.
    func distance(_ candidate: Candidate) -> Float {
        let displacement = displacement(candidate)
        return hypotf(displacement.x, displacement.y) / size
    }
}

extension Detection {
    /// How alike two faces' points lie within their boxes, 0...1: `exp(-(d / 0.5)^2)`. `d` is the mean displacement of
    /// the points that both have, less that of the boxes, in distances between the eyes. nil unless both have three
    /// points and the eyes.
    func landmarkLikeness(_ later: Detection) -> Float? {
        guard case .face(let known) = content, case .face(let seen) = later.content,
            let left = known.position(of: .leftEye), let right = known.position(of: .rightEye)
        else { return nil }
        let eyes = hypotf(right.x - left.x, right.y - left.y)
        let (from, to) = (box.center, later.box.center)
        var (sum, count): (Float, Float) = (0, 0)
        for landmark in known.landmarks {
            guard let position = seen.position(of: landmark.name) else { continue }
            let (x, y) = (
                position.x - to.x - (landmark.position.x - from.x), position.y - to.y - (landmark.position.y - from.y)
            )
            sum += hypotf(x, y)
            count += 1
        }
        let displacement = sum / count / eyes
        guard count >= 3, displacement.isFinite else { return nil }
        return expf(-(displacement / 0.5) * (displacement / 0.5))
    }
}

extension Face {
    fileprivate func position(of name: Landmark.Name) -> Point? {
        for landmark in landmarks where landmark.name == name { return landmark.position }
        return nil
    }
}
