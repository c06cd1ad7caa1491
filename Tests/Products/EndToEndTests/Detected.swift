// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The fields that tests check in the answers of `glimpsed detect` and the track lines of `glimpsed pipeline`.
enum Detected {
    struct Point: Decodable {
        var x: Double
        var y: Double
    }

    struct Box: Decodable {
        var x: Double
        var y: Double
        var w: Double
        var h: Double

        /// - Parameter values: x, y, width, height.
        init(_ values: [Double]) {
            (x, y, w, h) = (values[0], values[1], values[2], values[3])
        }

        var corners: [Double] { [x, y, x + w, y + h] }
    }

    struct Euler: Decodable {
        var x: Double?
        var y: Double?
        var z: Double?
    }

    struct Face: Decodable {
        var landmarks: [String: Point]?
        var euler: Euler?
        var smiling: Double?
        var left_eye_open: Double?
        var right_eye_open: Double?
    }

    struct Barcode: Decodable {
        var format: String
        var raw: String?
        var raw_base64: String
        var add_on: String?
        var evidence_frames: Int?
    }

    struct Feature: Decodable {
        var kind: String
        var box: Box
        var face: Face?
        var barcode: Barcode?
    }

    struct Image: Decodable {
        var file: String
        var width: Int?
        var height: Int?
        var features: [Feature]
        var error: String?
    }

    struct TrackLine: Decodable {
        struct Track: Decodable {
            var id: String
        }

        var type: String
        var track: Track?
        var reason: String?

        init?(_ line: String) {
            guard let decoded = try? JSONDecoder().decode(TrackLine.self, from: Data(line.utf8)), decoded.track != nil
            else {
                return nil
            }
            self = decoded
        }
    }

    static func inImage(_ path: String, _ options: String...) throws -> Image {
        let result = Program.run(Program.built("glimpsed"), ["detect"] + options + [path])
        try #require(result.status == 0, "\(result)")
        return try JSONDecoder().decode(Image.self, from: Data(try #require(result.lines.first).utf8))
    }

    /// One line for each file; the program is started once.
    static func inImages(_ paths: [String], _ options: [String]) throws -> [Image] {
        let result = Program.run(
            Program.built("glimpsed"), ["detect"] + options + ["-"], input: paths.joined(separator: "\n") + "\n",
            within: .seconds(600))
        try #require(result.status == 0 || result.status == 1, "\(result)")
        return try result.lines.map { try JSONDecoder().decode(Image.self, from: Data($0.utf8)) }
    }
}
