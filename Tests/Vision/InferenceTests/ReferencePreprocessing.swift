// SPDX-License-Identifier: Apache-2.0
import Frames
import Inference
import ModelCatalog

/// The right input of a network, computed from the definitions one value at a time.
struct ReferencePreprocessing {
    private let source: MemoryPicture
    private let input: ModelInput
    /// The place of the picture in the input.
    private let part: (width: Int, height: Int, left: Int, top: Int)

    init(source: MemoryPicture, input: ModelInput) {
        (self.source, self.input) = (source, input)
        part = Self.part(source.kind, input)
    }

    /// Row-major in the input's layout.
    var values: [Float] {
        let channels = input.colour == .grey ? 1 : 3
        var values: [Float] = []
        switch input.layout {
        case .nchw:
            for channel in 0..<channels {
                for y in 0..<input.height { for x in 0..<input.width { values.append(value(channel, x, y)) } }
            }
        case .nhwc:
            for y in 0..<input.height {
                for x in 0..<input.width { for channel in 0..<channels { values.append(value(channel, x, y)) } }
            }
        }
        return values
    }

    private static func part(_ picture: InferencePicture.Kind, _ input: ModelInput) -> (
        width: Int, height: Int, left: Int, top: Int
    ) {
        guard case .letterbox(let anchor, _) = input.resize else { return (input.width, input.height, 0, 0) }
        let ratio = min(Double(input.width) / Double(picture.width), Double(input.height) / Double(picture.height))
        let width = max(1, Int((Double(picture.width) * ratio).rounded()))
        let height = max(1, Int((Double(picture.height) * ratio).rounded()))
        return anchor == .topLeft
            ? (width, height, 0, 0) : (width, height, (input.width - width) / 2, (input.height - height) / 2)
    }

    private func value(_ channel: Int, _ x: Int, _ y: Int) -> Float {
        let (column, row) = (x - part.left, y - part.top)
        var sample = 0.0
        if case .letterbox(_, let padding) = input.resize { sample = Double(padding) }
        if (0..<part.width).contains(column), (0..<part.height).contains(row) {
            sample = colour(channel, column, row)
        }
        return Float((sample - Double(input.mean[channel])) / Double(input.scale[channel]))
    }

    /// Bilinear with half-pixel centres.
    private func resized(_ plane: Int, _ channel: Int, _ column: Int, _ row: Int) -> Double {
        let size = source.size(plane)
        let x = (Double(column) + 0.5) * Double(size.columns) / Double(part.width) - 0.5
        let y = (Double(row) + 0.5) * Double(size.rows) / Double(part.height) - 0.5
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        func at(_ dx: Int, _ dy: Int) -> Double {
            source.sample(plane, channel: channel, Int(left) + dx, Int(top) + dy)
        }
        let upper = at(0, 0) + (at(1, 0) - at(0, 0)) * (x - left)
        let lower = at(0, 1) + (at(1, 1) - at(0, 1)) * (x - left)
        return upper + (lower - upper) * (y - top)
    }

    private func colour(_ channel: Int, _ column: Int, _ row: Int) -> Double {
        let blueGreenRed = blueGreenRed(column, row)
        switch input.colour {
        case .bgr: return blueGreenRed[channel]
        case .rgb: return blueGreenRed[2 - channel]
        case .grey:
            if source.kind.format == .bgr {
                return 0.114 * blueGreenRed[0] + 0.587 * blueGreenRed[1] + 0.299 * blueGreenRed[2]
            }
            return source.kind.format == .grey ? blueGreenRed[0] : clamped(luma(column, row))
        }
    }

    private func luma(_ column: Int, _ row: Int) -> Double {
        let y = resized(0, 0, column, row)
        return source.kind.colour.range == .full ? y : (y - 16) * 255 / 219
    }

    private func blueGreenRed(_ column: Int, _ row: Int) -> [Double] {
        let chroma: (u: Double, v: Double)
        switch source.kind.format {
        case .bgr: return (0..<3).map { resized(0, $0, column, row) }
        case .grey: return Array(repeating: resized(0, 0, column, row), count: 3)
        case .nv12: chroma = (resized(1, 0, column, row), resized(1, 1, column, row))
        case .i420: chroma = (resized(1, 0, column, row), resized(2, 0, column, row))
        }
        // ITU-R: R - Y = 2 (1 - Kr) V, B - Y = 2 (1 - Kb) U, Y = Kr R + Kg G + Kb B.
        let (kr, kb) =
            switch source.kind.colour.matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        let scale = source.kind.colour.range == .full ? 1 : 255.0 / 224
        let y = luma(column, row)
        let blue = y + 2 * (1 - kb) * (chroma.u - 128) * scale
        let red = y + 2 * (1 - kr) * (chroma.v - 128) * scale
        let green = (y - kr * red - kb * blue) / (1 - kr - kb)
        return [blue, green, red].map(clamped)
    }

    private func clamped(_ value: Double) -> Double { min(max(value, 0), 255) }
}
