// SPDX-License-Identifier: Apache-2.0
/// The attributes of a face apart from its box. Nil means unknown.
public struct Face: Sendable, Equatable, Codable {
    /// The visible landmarks, and filled-in ones.
    public var landmarks: [Landmark]
    /// The pose of the head; nil if unknown.
    public var euler: Euler?
    /// The probability that the person smiles, 0...1.
    public var smiling: Float?
    /// The probability that the person's left eye is open, 0...1.
    public var leftEyeOpen: Float?
    /// The probability that the person's right eye is open, 0...1.
    public var rightEyeOpen: Float?

    public init(
        landmarks: [Landmark] = [], euler: Euler? = nil, smiling: Float? = nil, leftEyeOpen: Float? = nil,
        rightEyeOpen: Float? = nil
    ) {
        self.landmarks = landmarks
        self.euler = euler
        self.smiling = smiling
        self.leftEyeOpen = leftEyeOpen
        self.rightEyeOpen = rightEyeOpen
    }

    /// A named point of a face; left and right are the person's.
    public struct Landmark: Sendable, Equatable, Codable {
        /// Mobile Vision's names for the points that a five-point model gives.
        public enum Name: String, Sendable, Codable, CaseIterable {
            case leftEye = "left_eye"
            case rightEye = "right_eye"
            case noseBase = "nose_base"
            case mouthLeft = "mouth_left"
            case mouthRight = "mouth_right"
        }

        /// The name of the point.
        public var name: Name
        /// Pixels of the upright picture.
        public var position: Point
        /// Filled in from earlier frames, not seen in this one.
        public var interpolated: Bool

        public init(name: Name, position: Point, interpolated: Bool = false) {
            self.name = name
            self.position = position
            self.interpolated = interpolated
        }
    }

    /// Head pose in degrees: x up, y towards the right of the picture, z counter-clockwise in the picture.
    public struct Euler: Sendable, Equatable, Codable {
        /// Nodding: positive is up.
        public var x: Float?
        /// Turning: positive is towards the right of the picture.
        public var y: Float?
        /// Rolling: positive is counter-clockwise.
        public var z: Float?

        public init(x: Float? = nil, y: Float? = nil, z: Float? = nil) {
            self.x = x
            self.y = y
            self.z = z
        }
    }
}
