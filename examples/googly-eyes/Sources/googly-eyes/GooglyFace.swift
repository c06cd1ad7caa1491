// SPDX-License-Identifier: Apache-2.0
import GlimpseVision

/// Two cartoon eyes, one object for each face. Lengths are pixels, times seconds.
final class GooglyFace: FeatureTracker {
    private var eyes = [Eye(landmark: .leftEye), Eye(landmark: .rightEye)]
    private var time: Double?

    func update(_ track: Track, in results: DetectionResults) {
        if case .face(let face) = track.detection.content { move(to: track.box, face, at: results.frame.seconds) }
    }
    /// The box is a prediction; the eyes keep their places in it.
    func missing(_ track: Track, in results: DetectionResults) {
        move(to: track.box, Face(), at: results.frame.seconds)
    }

    private func move(to box: Box, _ face: Face, at now: Double) {
        let (origin, size) = (SIMD2(box.x, box.y), SIMD2(box.width, box.height))
        let earlier = eyes.map(\.center)
        for (index, probability) in [face.leftEyeOpen, face.rightEyeOpen].enumerated() {
            if let point = face.landmarks.first(where: { $0.name == eyes[index].landmark }) {
                eyes[index].proportions = (SIMD2(point.position.x, point.position.y) - origin) / size
                if !point.interpolated { eyes[index].lastSeen = now }
            }
            guard let proportions = eyes[index].proportions else { return }
            eyes[index].center = origin + proportions * size
            // An eye that is missing for longer than 0.3 s closes.
            eyes[index].isOpen = now - eyes[index].lastSeen <= 0.3 && probability ?? 1 > 0.3
        }
        let radius = 0.42 * (eyes[0].center - eyes[1].center).length
        for index in eyes.indices { eyes[index].swing(from: earlier[index], Float(now - (time ?? now)), radius) }
        time = now
        canvas.withLock { picture in for eye in eyes { eye.draw(on: &picture, radius) } }
    }
}

private struct Eye {
    /// Fall in eye radii per square second; part of the speed that a bounce keeps; part that sliding takes per second.
    private static let (gravity, bounce, friction): (Float, Float, Float) = (60, 0.45, 4)

    let landmark: Face.Landmark.Name
    /// Where the eye was last seen, as proportions of the face's box.
    var proportions: SIMD2<Float>?
    var lastSeen = 0.0
    var isOpen = true
    var center = SIMD2<Float>()
    var pupil: SIMD2<Float>?
    var speed = SIMD2<Float>()
    /// The pupil falls and keeps its motion. The edge of the eye moves with the face and carries the pupil along.
    mutating func swing(from earlier: SIMD2<Float>, _ time: Float, _ radius: Float) {
        guard var pupil, time > 0 else { return pupil = pupil ?? center }
        let (parts, edge) = (8, (center - earlier) / time)
        for part in 1...parts {
            let step = min(time, 0.1) / Float(parts)
            speed.y += Self.gravity * radius * step
            pupil += speed * step
            let offset = pupil - (earlier + (center - earlier) * Float(part) / Float(parts))
            guard offset.length > radius * 0.5 else { continue }
            let outward = offset / offset.length
            pupil += outward * (radius * 0.5 - offset.length)
            let away = ((speed - edge) * outward).sum()
            let along = (speed - edge - away * outward) * (1 - Self.friction * step)
            speed = edge + along - max(0, away) * Self.bounce * outward
        }
        self.pupil = pupil
    }

    func draw(on picture: inout Picture, _ radius: Float) {
        picture.disc(center, radius * 1.1, Picture.black)
        picture.disc(center, radius, isOpen ? Picture.white : Picture.skin)
        if isOpen, let pupil { return picture.disc(pupil, radius * 0.5, Picture.black) }
        for x in stride(from: Float(-0.8), through: 0.8, by: 0.05) {
            picture.disc(center + SIMD2(x, 0.4 - x * x / 2) * radius, radius * 0.07, Picture.black)
        }
    }
}

extension SIMD2<Float> {
    var length: Float { (self * self).sum().squareRoot() }
}
