// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Glibc
import GlimpseTesting
import Observations
import Settings
import Tracking

@testable import VisionDetectors

/// A symbol with its quiet zone, in some place of a painted picture.
struct PaintedSymbol {
    let modules: SymbolWriter.Modules
    let quiet: Int
    /// The ink's middle, in pixels; its width; degrees clockwise.
    var x: Float
    var y: Float
    var width: Float
    var turn: Float = 0
    var contrast: Float = 190

    init(_ text: String, _ format: Barcode.Format, x: Float, y: Float, width: Float) throws {
        quiet = format.isLinear ? 10 : 4
        modules = try SymbolWriter.draw(text, as: format, quietZone: quiet)
        (self.x, self.y, self.width) = (x, y, width)
    }

    var scale: Float { width / Float(modules.columns - 2 * quiet) }

    /// The ink's corners: top left, top right, bottom right, bottom left.
    var corners: Quadrilateral {
        let (w, h) = (width / 2, Float(modules.rows - 2 * quiet) * scale / 2)
        return Quadrilateral(coordinates: [(-w, -h), (w, -h), (w, h), (-w, h)].flatMap { placed($0.0, $0.1) })
    }

    private func placed(_ u: Float, _ v: Float) -> [Float] {
        let (c, s) = (cosf(turn * .pi / 180), sinf(turn * .pi / 180))
        return [x + c * u - s * v, y + s * u + c * v]
    }

    /// The share of paper at a pixel, 0...1; nil beside the symbol. Four samples.
    func paper(_ px: Int, _ py: Int) -> Float? {
        let (c, s) = (cosf(turn * .pi / 180), sinf(turn * .pi / 180))
        var light: Float = 0
        for (dx, dy): (Float, Float) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
            let (u, v) = (Float(px) + dx - x, Float(py) + dy - y)
            let column = Int(((c * u + s * v) / scale + Float(modules.columns) / 2).rounded(.down))
            let row = Int(((c * v - s * u) / scale + Float(modules.rows) / 2).rounded(.down))
            guard modules.modules.indices.contains(row * modules.columns + column),
                (0..<modules.columns).contains(column)
            else { return nil }
            light += modules.modules[row * modules.columns + column] == 0 ? 0 : 0.25
        }
        return light
    }
}

/// Painted frames through the real detector and the real tracker, as a lane does it.
final class PaintedStream {
    let width: Int
    let height: Int
    private let detector: any Detector
    private var tracker: Tracker
    /// The causes of the last frame.
    var withheld: [Explanation.Untracked.Cause] { detector.withheld.map(\.cause) }
    /// Close to a normal distribution of deviation 1, times 64.
    private static let noise: [Int] = {
        var random = SeededRandom(seed: 5)
        return (0..<4096).map { _ in
            let bits = random.next()
            return (0..<4).reduce(-510) { $0 + Int(bits >> (8 * UInt64($1)) & 0xFF) } * 64 / 148
        }
    }()
    private var random = SeededRandom(seed: 7)
    /// The background of the symbols: grey levels by x and y.
    var background: ((Int, Int) -> UInt8)?
    /// The panels in front of the symbols.
    var panels: [Box] = []
    private var number = 0
    private let framesPerSecond: Double

    init(
        width: Int = 640, height: Int = 360, framesPerSecond: Double = 30, rules: PayloadRules = PayloadRules(),
        _ change: (inout BarcodeSettings) -> Void = { _ in },
        configure: (inout TrackerConfiguration) -> Void = { _ in }
    ) throws {
        var settings = BarcodeSettings()
        change(&settings)
        (self.width, self.height, self.framesPerSecond) = (width, height, framesPerSecond)
        detector = try BarcodeDetectorFactory(settings).makeDetector().detector
        var configuration = TrackerConfiguration.barcode
        configuration.payloads = rules
        configure(&configuration)
        tracker = Tracker(configuration)
    }

    /// The next frame.
    ///
    /// - Parameter blur: radius of a box filter in pixels.
    @discardableResult
    func show(_ symbols: [PaintedSymbol], noise: Int = 4, blur: Int = 0) throws -> [TrackChange] {
        var pixels = [UInt8](repeating: 120, count: width * height)
        if let background {
            for y in 0..<height {
                for x in 0..<width { pixels[y * width + x] = background(x, y) }
            }
        }
        for symbol in symbols { paint(symbol, into: &pixels) }
        for panel in panels {
            for y in max(0, Int(panel.y))..<min(height, Int(panel.maxY)) {
                for x in max(0, Int(panel.x))..<min(width, Int(panel.maxX)) { pixels[y * width + x] = 70 }
            }
        }
        if blur > 0 { pixels = blurred(pixels, blur) }
        if noise > 0 {
            addNoise(noise, to: &pixels)
        }
        number += 1
        let frame = FrameOfBytes(pixels, width, height).frame(number, seconds: Double(number - 1) / framesPerSecond)
        let tracker = tracker
        detector.expect { tracker.predicted(at: frame.info) }
        let detections = try detector.detect(in: frame)
        return self.tracker.process(detections, frame: frame.info)
    }

    private func addNoise(_ deviation: Int, to pixels: inout [UInt8]) {
        Self.noise.withUnsafeBufferPointer { noise in
            pixels.withUnsafeMutableBufferPointer { pixels in
                for row in 0..<height {
                    // Another part of the table for every row of every frame.
                    let start = Int(random.next() & 4095)
                    for column in 0..<width {
                        let value = Int(pixels[row * width + column]) + noise[(start + column) & 4095] * deviation / 64
                        pixels[row * width + column] = UInt8(min(max(value, 0), 255))
                    }
                }
            }
        }
    }

    private func paint(_ symbol: PaintedSymbol, into pixels: inout [UInt8]) {
        let picture = Box(x: 0, y: 0, width: Float(width), height: Float(height))
        guard symbol.corners.box.intersectionArea(picture) > 0 else { return }
        let reach = Int(symbol.scale * Float(max(symbol.modules.columns, symbol.modules.rows)))
        for y in max(0, Int(symbol.y) - reach)..<min(height, Int(symbol.y) + reach) {
            for x in max(0, Int(symbol.x) - reach)..<min(width, Int(symbol.x) + reach) {
                if let paper = symbol.paper(x, y) {
                    pixels[y * width + x] = UInt8(128 + (paper - 0.5) * symbol.contrast)
                }
            }
        }
    }

    private func blurred(_ pixels: [UInt8], _ radius: Int) -> [UInt8] {
        func pass(_ from: [UInt8], _ step: Int, _ lines: Int, _ lineStep: Int, _ count: Int) -> [UInt8] {
            var out = from
            for line in 0..<lines {
                for i in radius..<(count - radius) {
                    var sum = 0
                    for k in -radius...radius { sum += Int(from[line * lineStep + (i + k) * step]) }
                    out[line * lineStep + i * step] = UInt8(sum / (2 * radius + 1))
                }
            }
            return out
        }
        return pass(pass(pixels, 1, height, width, width), width, width, 1, height)
    }
}

/// A frame that owns its bytes.
final class FrameOfBytes {
    private let base: UnsafeMutablePointer<UInt8>
    private let width: Int
    private let height: Int

    init(_ bytes: [UInt8], _ width: Int, _ height: Int) {
        base = .allocate(capacity: bytes.count)
        base.initialize(from: bytes, count: bytes.count)
        (self.width, self.height) = (width, height)
    }

    deinit { base.deallocate() }

    func frame(_ number: Int, seconds: Double) -> Frame {
        let time = Int64((seconds * 1e9).rounded())
        let info = FrameInfo(
            sequence: UInt64(number), presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
            width: width, height: height)
        return Frame(
            info: info, format: .gray8, planes: [Plane(base: UnsafePointer(base), stride: width)], storage: self)
    }
}
