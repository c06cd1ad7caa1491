// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// A `device` that the machine lacks is reported when the detector is loaded, through the built executables.
@Suite(.enabled(if: SharedData.has("media/images/face/faces.json"), "no shared data beside the checkout"))
struct AbsentDeviceTests {
    private static let reason = #"this machine has no device "TPU" for OpenVINO; it has CPU"#
    private static let picture = SharedData.path("media/images/face/portrait-240p.jpg")

    private struct DetectorLine: Decodable {
        var type: String
        var detector: String?
        var operational: Bool?
        var reason: String?
    }

    @Test(arguments: ["face", "scene"])
    func aPipelineOverOneStillPictureSaysThatItsDetectorIsNotOperational(detector: String) throws {
        let scope = TestScope()
        scope.write("p.toml", "[source]\nkind = \"images\"\npath = \"\(Self.picture)\"\n[\(detector)]\n")
        let result = Program.run(
            Program.built("glimpsed"),
            ["pipeline", scope.path("p.toml"), "--set", "\(detector).device=TPU"])
        let lines = try result.lines.map { try JSONDecoder().decode(DetectorLine.self, from: Data($0.utf8)) }
        let line = try #require(lines.first { $0.type == "detector" }, "\(result)")
        #expect(line.detector == detector && line.operational == false && line.reason == Self.reason, "\(result)")
    }

    @Test func detectSaysInAnImagesLineThatADetectorIsNotOperational() throws {
        struct Line: Decodable {
            var error: String?
            var features: [Detected.Feature]
        }
        let result = Program.run(
            Program.built("glimpsed"), ["detect", "--face", "--set", "face.device=TPU", Self.picture, Self.picture])
        let lines = try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.count == 2)
        for line in lines {
            #expect(line.error == "face is not operational: \(Self.reason)" && line.features.isEmpty)
        }
        #expect(result.errors == "glimpsed: face is not operational: \(Self.reason)\n")
        #expect(result.status == 1)
    }
}
