// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations

/// A random scene and a simulated detector. Objects move and turn. The detector misses objects and gives low scores,
/// jitter, duplicates and false positives. Frames are dropped, streams pause and clocks jump. A seed always gives equal
/// frames.
struct RandomScene {
    var random: SeededRandom
    private var objects: [Object] = []
    private var time = 0.0
    private var number = 0
    private let isHostile: Bool

    private struct Object {
        var box: Box
        var velocity: Point
        var text: String?
    }

    /// - Parameter isHostile: whether there are also impossible boxes and scores, jumps of the clock and changes of
    ///   size.
    init(seed: UInt64, isHostile: Bool = false) {
        random = SeededRandom(seed: seed)
        self.isHostile = isHostile
        for _ in 0..<Int.random(in: 0...6, using: &random) { objects.append(newObject()) }
    }

    mutating func nextFrame() -> (frame: FrameInfo, detections: [Detection]) {
        let step =
            chance(0.02) ? Double.random(in: 0...4, using: &random) : Double.random(in: 0.02...0.3, using: &random)
        time += step
        if isHostile, chance(0.02) { time = Double.random(in: -10...100, using: &random) }
        number += Int.random(in: 1...3, using: &random)
        move(by: step)
        var detections = objects.flatMap { see($0) }
        while chance(0.15) { detections.append(see(newObject()).first ?? .object(x: 1, y: 1)) }
        if isHostile, chance(0.2) { detections += (0..<5).map { _ in impossible() } }
        let isOtherSize = isHostile && chance(0.01)
        return (.at(time, number: number, width: isOtherSize ? 640 : 2000), detections.shuffled(using: &random))
    }

    private mutating func move(by step: Double) {
        if chance(0.05) { objects.append(newObject()) }
        if chance(0.05), !objects.isEmpty { objects.remove(at: Int.random(in: objects.indices, using: &random)) }
        for index in objects.indices {
            objects[index].box.x += objects[index].velocity.x * Float(step)
            objects[index].box.y += objects[index].velocity.y * Float(step)
            if chance(0.1) { objects[index].velocity = velocity() }
        }
    }

    /// Nothing, one detection, or one and a duplicate.
    private mutating func see(_ object: Object) -> [Detection] {
        if chance(0.15) { return [] }
        var box = object.box
        box.x += Float.random(in: -3...3, using: &random)
        box.y += Float.random(in: -3...3, using: &random)
        let isWeak = chance(0.1)
        var detection = Detection.object(
            x: box.x, y: box.y, size: box.width,
            confidence: Float.random(in: isWeak ? 0.1...0.6 : 0.6...1, using: &random))
        if let text = object.text {
            detection = .barcode(chance(0.5) ? text : nil, x: box.x, y: box.y, size: box.width)
        }
        guard chance(0.05) else { return [detection] }
        var duplicate = detection
        duplicate.box.x += 1
        return [detection, duplicate]
    }

    private mutating func newObject() -> Object {
        let size = Float.random(in: 10...300, using: &random)
        return Object(
            box: Box(
                x: .random(in: 0...1900, using: &random), y: .random(in: 0...900, using: &random), width: size,
                height: size),
            velocity: velocity(), text: chance(0.3) ? "code \(Int.random(in: 0..<3, using: &random))" : nil)
    }

    private mutating func velocity() -> Point {
        Point(x: .random(in: -300...300, using: &random), y: .random(in: -300...300, using: &random))
    }

    private mutating func impossible() -> Detection {
        let values: [Float] = [
            .nan, .infinity, -.infinity, 0, -1, -0.0, .leastNonzeroMagnitude, 1e-20, 1e7, 1e20,
            .greatestFiniteMagnitude,
            -.greatestFiniteMagnitude, 50, 100,
        ]
        func any() -> Float { values.randomElement(using: &random) ?? 0 }
        return Detection(
            box: Box(x: any(), y: any(), width: any(), height: any()), confidence: chance(0.5) ? any() : 0.9,
            content: .object(ObjectLabels(labels: [Label(text: "", index: 0, confidence: any())])))
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }
}
