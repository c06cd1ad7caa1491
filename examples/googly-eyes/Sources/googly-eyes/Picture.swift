// SPDX-License-Identifier: Apache-2.0
import GlimpseVision
import Synchronization

/// The frame that is being drawn on.
let canvas = Mutex(Picture())

/// A frame's copy: the three planes of GStreamer's I420, rows padded to four bytes.
struct Picture {
    /// Y, Cb, Cr.
    static let (black, white, skin): ([Float], [Float], [Float]) = ([20, 128, 128], [235, 128, 128], [160, 110, 150])

    private(set) var bytes: [UInt8] = []
    private var layers: [(start: Int, stride: Int, width: Int, height: Int, scale: Float)] = []

    init() {}
    init(_ frame: Frame) {
        for scale in [1, 2, 2] {
            let (width, height) = ((frame.width + scale - 1) / scale, (frame.height + scale - 1) / scale)
            let stride = (width + 3) / 4 * 4
            layers.append((bytes.count, stride, width, height, Float(scale)))
            bytes += [UInt8](repeating: 128, count: stride * (scale == 1 ? (height + 1) / 2 * 2 : height))
        }
        frame.withPlanes { planes in
            for (index, layer) in layers.enumerated() {
                let isMixed = frame.format == .nv12 && index > 0
                guard let plane = planes.dropFirst(isMixed ? 1 : index).first else { continue }
                for y in 0..<layer.height {
                    for x in 0..<layer.width {
                        bytes[layer.start + y * layer.stride + x] =
                            plane.base[y * plane.stride + (isMixed ? 2 * x + index - 1 : x)]
                    }
                }
            }
        }
    }

    mutating func disc(_ center: SIMD2<Float>, _ radius: Float, _ colour: [Float]) {
        for (layer, value) in zip(layers, colour) {
            let (place, radius) = (center / layer.scale, radius / layer.scale)
            let size = SIMD2(Float(layer.width), Float(layer.height))
            let low = (place - radius).clamped(lowerBound: .zero, upperBound: size)
            let high = (place + radius + 1).clamped(lowerBound: low, upperBound: size)
            for y in Int(low.y)..<Int(high.y) {
                for x in Int(low.x)..<Int(high.x) {
                    let offset = SIMD2(Float(x), Float(y)) + 0.5 - place
                    // The edge is a pixel wide.
                    let cover = min(1, max(0, radius - offset.length + 0.5))
                    let index = layer.start + y * layer.stride + x
                    bytes[index] = UInt8(Float(bytes[index]) * (1 - cover) + value * cover)
                }
            }
        }
    }
}
