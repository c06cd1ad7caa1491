// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Each option of `[face]` has its stated effect, through the built executables.
@Suite(.enabled(if: SharedData.has("media/images/face/faces.json"), "no shared data beside the checkout"))
struct FaceOptionsTests {
    private func faces(_ file: String, _ options: String...) throws -> [Detected.Feature] {
        let arguments = options.flatMap { ["--set", "face.\($0)"] }
        let images = try Detected.inImages([SharedData.path("media/\(file)")], ["--face"] + arguments)
        return try #require(images.first).features
    }

    static let portrait = "images/face/portrait-720p.jpg"
    static let classroom = "video/classroom.gif"

    @Test func landmarksOfFacesFollowTheOption() throws {
        let all = try #require(try faces(Self.portrait).first?.face)
        #expect(
            all.landmarks.map { Set($0.keys) } == ["left_eye", "right_eye", "nose_base", "mouth_left", "mouth_right"])
        let none = try #require(try faces(Self.portrait, "landmarks=false").first?.face)
        #expect(none.landmarks == nil)
        // The pose does not depend on reported landmarks.
        #expect(none.euler?.z == all.euler?.z)
        #expect(abs(try #require(all.euler?.y)) < 10)
        #expect(abs(try #require(all.euler?.z)) < 5)
    }

    @Test func faceClassificationIsOffByDefault() throws {
        let without = try #require(try faces(Self.portrait).first?.face)
        #expect(without.smiling == nil && without.left_eye_open == nil && without.right_eye_open == nil)
        let with = try #require(try faces(Self.portrait, "classification=true").first?.face)
        #expect(try #require(with.smiling) > 0.7)
        // A profile is not classified (Mobile Vision's limit of 18 degrees), and lacks the landmarks on its far side.
        let profile = try #require(try faces("images/face/camera_profile.png", "classification=true").first?.face)
        #expect(profile.smiling == nil)
        // A face of 60 network pixels is too small for a pose.
        #expect(profile.euler == nil)
        #expect(profile.landmarks.map { Set($0.keys) } == ["right_eye", "nose_base", "mouth_right"])
    }

    /// Astronaut and portrait smile, the woman and the signing people do not; open eyes are seen in some, closed ones
    /// in none.
    @Test func smilesOfFacesAreClassified() throws {
        for name in ["astronaut.png", "portrait-1080p.jpg", "portrait-480p.jpg", "portrait-240p.jpg"] {
            let face = try #require(try faces("images/face/\(name)", "classification=true").first?.face)
            #expect(try #require(face.smiling) > 0.7, "\(name)")
        }
        let eyes = try #require(try faces("images/face/astronaut.png", "classification=true").first?.face)
        #expect(try #require(eyes.left_eye_open) > 0.7)
        #expect(try #require(eyes.right_eye_open) > 0.7)
        for name in ["asl_again.mkv", "asl_book.mkv", "asl_help.mkv"] {
            let face = try #require(try faces("video/\(name)", "classification=true").first?.face)
            #expect(try #require(face.smiling) < 0.5, "\(name)")
        }
    }

    @Test func theCascadeDetectsEyesOfFaces() throws {
        let face = try #require(try faces("images/face/astronaut.png", "model=cascade").first?.face)
        let landmarks = try #require(face.landmarks)
        #expect(Set(landmarks.keys) == ["left_eye", "right_eye"])
        // By eye: 204, 103 and 247, 104. Within a tenth of their distance.
        let (right, left) = (try #require(landmarks["right_eye"]), try #require(landmarks["left_eye"]))
        #expect(hypot(right.x - 204, right.y - 103) < 4.3 && hypot(left.x - 247, left.y - 104) < 4.3)
        #expect(abs(try #require(face.euler?.z)) < 6)
        #expect(face.euler?.y == nil)
        #expect(
            try faces("images/face/astronaut.png", "model=cascade", "landmarks=false").first?.face?.landmarks == nil)
        let smile = try faces("images/face/astronaut.png", "model=cascade", "classification=true").first?.face?.smiling
        #expect(try #require(smile) > 0.7)
    }

    @Test func minSizeDecidesOverSmallFaces() throws {
        #expect(try faces(Self.classroom, "min_size=0.1").isEmpty)
        #expect(try faces(Self.classroom, "min_size=0.03", "mode=accurate").count == 4)
    }

    @Test func prominentOnlyGivesOneFace() throws {
        let all = try faces(Self.classroom, "min_size=0.03", "mode=accurate")
        let one = try faces(Self.classroom, "min_size=0.03", "mode=accurate", "prominent_only=true")
        #expect(all.count == 4 && one.count == 1)
    }

    @Test func aHigherMinConfidenceKeepsFewerFaces() throws {
        #expect(try faces(Self.portrait, "confidence=0.9").count == 1)
        #expect(try faces(Self.portrait, "confidence=0.99").isEmpty)
    }

    @Test func facesOutsideTheRegionOfInterestAreNotDetected() throws {
        #expect(try faces(Self.portrait, "roi=[0.3, 0, 0.5, 1]").count == 1)
        #expect(try faces(Self.portrait, "roi=[0.7, 0, 0.3, 1]").isEmpty)
    }
}
