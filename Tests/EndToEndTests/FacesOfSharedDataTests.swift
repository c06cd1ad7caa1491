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
        }

        var images: [String: Picture]
    }

    static let models = ["yunet_n_640_640", "yunet_s_640_640"]

    @Test(arguments: models)
    func everyFaceOfTheReferenceIsFound(model: String) throws {
        let folder = SharedData.path("media/images/face")
        let json = try Data(contentsOf: URL(filePath: "\(folder)/faces.json"))
        let reference = try JSONDecoder().decode(Reference.self, from: json)
        #expect(!reference.images.isEmpty)
        for (name, picture) in reference.images {
            let found = try Detected.inImage("\(folder)/\(name)", "--face", "--set", "face.model=\(model)").features
            for face in picture.faces {
                let match = found.first { feature in
                    zip(feature.box.corners, Detected.Box(face.box).corners)
                        .allSatisfy { abs($0 - $1) <= 0.15 * face.box[2] }
                }
                #expect(match != nil, "\(name): \(face.box) is not among \(found.map(\.box))")
                // The eyes are the person's: the right one is on the left of the picture.
                let landmarks = try #require(match?.face?.landmarks)
                let eyeDistance = face.left_eye[0] - face.right_eye[0]
                let rightEye = try #require(landmarks["right_eye"])
                #expect(abs(rightEye.x - face.right_eye[0]) <= 0.15 * abs(eyeDistance), "\(name): right eye")
            }
            #expect(found.count == picture.faces.count, "\(name): \(found.count) faces")
        }
    }

    @Test(arguments: ["chelsea.png", "coffee.png", "hubble_deep_field.jpg", "rocket.jpg"])
    func nothingElseIsAFace(name: String) throws {
        for model in Self.models {
            let found = try Detected.inImage(
                SharedData.path("media/images/noface/\(name)"), "--face", "--set", "face.model=\(model)")
            #expect(found.features.isEmpty, "\(model)")
        }
    }
}
