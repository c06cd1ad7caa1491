// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Glimpse

/// The production tracker over recorded detections.
struct MOTReplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mot",
        abstract: "Tracks detections in MOTChallenge format and writes the result in the same format.",
        discussion: "Every box that continues a track is written, with the track's id and the frame's own number.")

    @Option(help: "Detections: frame,id,x,y,width,height,score,...")
    var det: String

    @Option(help: "The sequence's seqinfo.ini.")
    var seqinfo: String

    @Option(help: "Every which frame the detector runs on.")
    var stride = 1

    @Option(help: "The first frame that it runs on; default: the first that has a detection.")
    var first: Int?

    @Option(help: "object or erratic.")
    var preset = Preset.object

    @Option(help: "Where the result goes: frame,id,x,y,width,height,score,-1,-1,-1.")
    var out: String

    enum Preset: String, ExpressibleByArgument {
        case object, erratic

        var configuration: TrackerConfiguration { self == .object ? .object : .erratic }
    }

    func validate() throws {
        if stride < 1 || first ?? 1 < 1 { throw ValidationError("--stride and --first count from 1") }
    }

    func run() throws {
        let sequence = try MOTSequence(
            detections: String(contentsOfFile: det, encoding: .utf8),
            information: String(contentsOfFile: seqinfo, encoding: .utf8))
        var tracker = Tracker(preset.configuration)
        var lines: [String] = []
        let frames = Swift.stride(from: first ?? sequence.firstFrame, through: sequence.length, by: stride)
        for number in frames {
            let changes = tracker.process(sequence.detections(ofFrame: number), frame: sequence.frame(number))
            for change in changes where change.phase == .update {
                let (track, box) = (change.track, change.track.box)
                lines.append(
                    "\(number),\(track.id),\(box.x),\(box.y),\(box.width),\(box.height),"
                        + "\(track.detection.confidence ?? 1),-1,-1,-1\n")
            }
        }
        try lines.joined().write(toFile: out, atomically: true, encoding: .utf8)
    }
}
