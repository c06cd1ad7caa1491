// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Glimpse

/// Time and memory of the event encoder.
struct EncoderBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode", abstract: "What an update line costs: lines a second of one core, and heap allocations.",
        discussion:
            "Of the process's own processor time, after a warm-up, with times and boxes that change from line to line.")

    @Option(help: "Lines that are measured.")
    var lines = 1_000_000

    func run() throws {
        print("| update of | bytes | lines a second | heap allocations a line |\n|---|---|---|---|")
        print(row("an object", .object(ObjectLabels(labels: [Label(text: "person", index: 1, confidence: 0.87)]))))
        print(row("a face", .face(Face())))
        let landmarks = Face.Landmark.Name.allCases.enumerated().map { index, name in
            Face.Landmark(name: name, position: Point(x: 100.37 + 3.7 * Float(index), y: 60.19))
        }
        print(row("a face with landmarks", .face(Face(landmarks: landmarks))))
        let corners = Quadrilateral(
            topLeft: Point(x: 101.87, y: 2.5), topRight: Point(x: 181.2, y: 3), bottomRight: Point(x: 180.9, y: 63.1),
            bottomLeft: Point(x: 101, y: 62))
        let barcode = Barcode(
            format: .ean13, raw: "4006381333931", bytes: Array("4006381333931".utf8), corners: corners,
            symbologyIdentifier: "]E0")
        print(row("a barcode", .barcode(barcode)))
    }

    private func row(_ name: String, _ content: Detection.Content) -> String {
        let events = (1...1000).map { event(content, $0) }
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"))
        var bytes = 0
        for event in events { bytes += encoder.encode(event).body.count }
        let size = bytes / events.count
        let (allocations, start) = (Allocations.count, Self.processorTime())
        for _ in 0..<lines / events.count {
            for event in events { bytes &+= encoder.encode(event).body.count }
        }
        let seconds = Self.processorTime() - start
        let count = lines / events.count * events.count
        let perLine = (Double(Allocations.count - allocations) / Double(count) * 100).rounded() / 100
        return "| \(name) | \(size) | \(Int(Double(count) / seconds)) | \(perLine) |"
    }

    private func event(_ content: Detection.Content, _ number: Int) -> Event {
        let time = Int64(number) * 33_333_333
        let start = Timestamp(nanoseconds: 1_785_432_000_000_000_000)
        let frame = FrameInfo(
            sequence: UInt64(number), presentationTime: time, time: start.advanced(byNanoseconds: time),
            clock: .arrival, width: 1280, height: 720)
        let box = Box(
            x: 100.5 + Float(number % 100) * 1.37, y: 50.125 + Float(number % 77) / 3, width: 80.3, height: 90.25)
        let detection = Detection(box: box, confidence: 0.87512, content: content)
        let track = Track(
            id: TrackID(7), kind: detection.kind, ageFrames: number, hits: number, reads: 3, missingFrames: 0,
            firstSeen: start, lastSeen: frame.time, box: box, isPredicted: false, velocity: Point(x: 3.25, y: -1.5),
            detection: detection)
        return .track(
            TrackEvent(phase: .update, detector: detection.kind.rawValue, frame: frame, track: track, count: 2))
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
