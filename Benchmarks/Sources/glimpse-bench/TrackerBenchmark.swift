// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Glimpse

/// Time and memory of the production tracker in steady state.
struct TrackerBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracker", abstract: "What a frame costs in the tracker: microseconds and heap allocations.",
        discussion:
            "Boxes that wander in a 1920 x 1080 picture at 30 frames a second; one in twenty is missed in each frame.")

    @Option(help: "Frames that are measured, after as many for warming up.")
    var frames = 3000

    func run() throws {
        print("| boxes | us a frame, median | 99 % | heap allocations a frame |\n|---|---|---|---|")
        for boxes in [6, 45, 300] { print(row(boxes)) }
    }

    private func row(_ boxes: Int) -> String {
        var scene = WanderingScene(boxes: boxes)
        let inputs = (0..<2 * frames).map { _ in scene.next() }
        var configuration = TrackerConfiguration.object
        configuration.capacity = max(configuration.capacity, 2 * boxes)
        var tracker = Tracker(configuration)
        var changes: [TrackChange] = []
        var times: [Double] = []
        times.reserveCapacity(frames)
        var before = 0
        for (index, input) in inputs.enumerated() {
            if index == frames { before = Allocations.count }
            let start = Self.now()
            tracker.process(input.detections, frame: input.frame, into: &changes)
            if index >= frames { times.append(Self.now() - start) }
        }
        let allocations = Double(Allocations.count - before) / Double(frames)
        times.sort()
        func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        return "| \(boxes) | \(text(times[frames / 2])) | \(text(times[frames * 99 / 100])) | \(allocations) |"
    }

    /// Microseconds of the monotonic clock.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}

/// Boxes that move at their own pace and turn back at the picture's edges. Every run makes the same boxes.
private struct WanderingScene {
    private var boxes: [(box: Box, velocity: Point)] = []
    private var number = 0
    private var state: UInt64 = 1

    init(boxes count: Int) {
        for _ in 0..<count {
            let size = 30 + 60 * random()
            let box = Box(x: 1800 * random(), y: 900 * random(), width: size, height: 2 * size)
            boxes.append((box, Point(x: 8 * random() - 4, y: 4 * random() - 2)))
        }
    }

    mutating func next() -> (frame: FrameInfo, detections: [Detection]) {
        var detections: [Detection] = []
        for index in boxes.indices {
            let (box, velocity) = boxes[index]
            if !(0...1800 ~= box.x) { boxes[index].velocity.x = box.x < 0 ? abs(velocity.x) : -abs(velocity.x) }
            if !(0...900 ~= box.y) { boxes[index].velocity.y = box.y < 0 ? abs(velocity.y) : -abs(velocity.y) }
            boxes[index].box.x += boxes[index].velocity.x
            boxes[index].box.y += boxes[index].velocity.y
            if random() < 0.05 { continue }
            var seen = boxes[index].box
            seen.x += 2 * random() - 1
            detections.append(Detection(box: seen, confidence: 0.7 + 0.3 * random(), content: .object(ObjectLabels())))
        }
        number += 1
        let time = Int64(number) * 33_333_333
        let frame = FrameInfo(
            sequence: UInt64(number), presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
            width: 1920, height: 1080)
        return (frame, detections)
    }

    /// SplitMix64, 0..<1.
    private mutating func random() -> Float {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return Float((value ^ (value >> 31)) >> 40) / 16_777_216
    }
}
