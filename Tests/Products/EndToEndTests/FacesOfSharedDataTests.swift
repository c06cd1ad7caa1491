// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Real faces through the built executables. The reference boxes were made with YuNet and checked by eye.
@Suite(.enabled(if: SharedData.has("media/images/face/faces.json"), "no shared data beside the checkout"))
struct FacesOfSharedDataTests {
    private struct Reference: Decodable {
        struct Picture: Decodable {
            var faces: [Face]
        }

        struct Face: Decodable {
            var box: [Double]
            var right_eye: [Double]
            var left_eye: [Double]
            var nose: [Double]
            var mouth_right: [Double]
            var mouth_left: [Double]

            var points: [String: [Double]] {
                [
                    "right_eye": right_eye, "left_eye": left_eye, "nose_base": nose, "mouth_right": mouth_right,
                    "mouth_left": mouth_left,
                ]
            }
        }

        var images: [String: Picture]
    }

    static let models = ["yunet_n_640_640", "yunet_s_640_640"]

    /// Boxes are within 15 % of the width, and landmarks of the reference's own model within a tenth of the eye
    /// distance. The small model's points are off by 5 % on average and by 10 % in places, and so is the reference's
    /// single look at each face. The limit for this model is a quarter.
    ///
    /// 0.1 is a pipeline's `min_size`, and 0.05 that of `glimpsed detect`. The mode is accurate.
    @Test(arguments: [(models[0], 0.1, 0.1), (models[0], 0.05, 0.1), (models[1], 0.05, 0.25)])
    func everyReferenceFaceIsDetected(model: String, minimumSize: Double, tolerance: Double) throws {
        let folder = SharedData.path("media/images/face")
        let json = try Data(contentsOf: URL(filePath: "\(folder)/faces.json"))
        let reference = try JSONDecoder().decode(Reference.self, from: json)
        #expect(!reference.images.isEmpty)
        let names = reference.images.keys.sorted()
        let answers = try Detected.inImages(
            names.map { "\(folder)/\($0)" },
            ["--face", "--set", "face.model=\(model)", "--set", "face.min_size=\(minimumSize)"])
        try #require(answers.count == names.count)
        for (name, answer) in zip(names, answers) {
            let picture = try #require(reference.images[name])
            let found = answer.features
            for face in picture.faces {
                // The reference box of a cut face extends beyond the picture.
                let wanted = zip(Detected.Box(face.box).corners, [1, 1, 0, 0]).map { $1 == 1 ? max(0, $0) : $0 }
                let match = found.first { feature in
                    zip(feature.box.corners, wanted).allSatisfy { abs($0 - $1) <= 0.15 * face.box[2] }
                }
                #expect(match != nil, "\(name): \(face.box) is not among \(found.map(\.box))")
                // Left and right are the person's. The right eye is on the left of the picture.
                let landmarks = try #require(match?.face?.landmarks)
                let eyeDistance = face.left_eye[0] - face.right_eye[0]
                #expect(eyeDistance > 0)
                for (point, place) in face.points {
                    let found = try #require(landmarks[point], "\(name): \(point)")
                    let offset = hypot(found.x - place[0], found.y - place[1]) / eyeDistance
                    #expect(offset <= tolerance, "\(name): \(point) is off by \(offset) of the eye distance")
                }
            }
            #expect(found.count == picture.faces.count, "\(name): \(found.count) faces")
        }
    }

    @Test(arguments: ["chelsea.png", "coffee.png", "hubble_deep_field.jpg", "rocket.jpg"])
    func onlyReferenceFacesAreDetected(name: String) throws {
        for model in Self.models {
            let found = try Detected.inImage(
                SharedData.path("media/images/noface/\(name)"), "--face", "--set", "face.model=\(model)")
            #expect(found.features.isEmpty, "\(model)")
        }
    }
}
