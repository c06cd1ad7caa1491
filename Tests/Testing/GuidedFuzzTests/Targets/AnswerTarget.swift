// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations

@testable import ExternalDetectors

extension FuzzTarget {
    /// A line of a detector that is a program. It is a greeting, an answer or an error with a reason. Detections lie in
    /// the frame.
    static let answer = FuzzTarget(
        name: "answer",
        words: [
            "\"frame\":", "\"detections\":", "\"box\":", "\"confidence\":", "\"corners\":", "\"attributes\":",
            "\"ready\":",
            "\"name\":", "\"model\":", "\"error\":", "\"value\":", "null", "true", "1e38", "1e-45", "-0", "\\ud800",
            "\\u0000",
        ]
    ) { input in
        _ = ProgramGreeting(input)
        let start = ProgramAnswer.start(of: input)
        try require(!start.unicodeScalars.contains { $0.value < 0x20 }, start)
        do {
            let answer = try ProgramAnswer(input)
            let frame = (width: 1280, height: 720)
            let detections = try answer.detections(.plate, picture: (320, 180), frame: frame)
            for detection in detections { try requireValid(detection, in: frame) }
        } catch let problem as ProgramAnswer.Problem {
            try require(!problem.description.isEmpty)
        }
    }

    private static func requireValid(_ detection: Detection, in frame: (width: Int, height: Int)) throws {
        let box = detection.box
        try require(box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0, "\(box)")
        // Rounding may add a step of a float.
        try require(box.maxX <= Float(frame.width) + 0.001 && box.maxY <= Float(frame.height) + 0.001, "\(box)")
        try require(detection.confidence.map { (0...1).contains($0) } ?? true, "\(detection)")
        guard case .custom(let feature) = detection.content else { throw Broken(description: "\(detection)") }
        try require(!feature.attributes.utf8.contains { $0 < 0x20 }, feature.attributes)
        guard let corners = feature.corners else { return }
        for point in [corners.topLeft, corners.topRight, corners.bottomRight, corners.bottomLeft] {
            try require(point.x.isFinite && point.y.isFinite, "\(corners)")
        }
    }
}
