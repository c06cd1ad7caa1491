// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations

/// A coarse sum of a picture, to know cheaply where it has changed.
struct SceneSignature {
    private static let columns = 16, rows = 9
    /// Luma samples in each direction of a cell.
    private static let samples = 6
    /// Grey levels of a cell's mean that count as a change: above noise and the steps of an automatic exposure.
    private static let change = 10

    /// The cells' means when they last changed, so that slow changes add up.
    private var means: [Int] = []
    private var changed: [Bool] = []
    private var width = 1
    private var height = 1

    mutating func update(_ view: LumaView) {
        (width, height) = (view.width, view.height)
        if means.isEmpty {
            // No mean: every cell changes with the first picture.
            means = Array(repeating: -Self.change - 1, count: Self.columns * Self.rows)
            changed = Array(repeating: true, count: means.count)
        }
        for index in means.indices {
            let mean = mean(view, index % Self.columns, index / Self.columns)
            changed[index] = abs(mean - means[index]) > Self.change
            if changed[index] { means[index] = mean }
        }
    }

    /// Whether a cell has changed that none of the boxes (pixels of the view) reaches or is next to.
    func hasChanged(besides boxes: [Box]) -> Bool {
        let (w, h) = (Float(width) / Float(Self.columns), Float(height) / Float(Self.rows))
        let near = boxes.map { $0.grown(byX: w / 2, y: h / 2) }
        for row in 0..<Self.rows {
            for column in 0..<Self.columns where changed[row * Self.columns + column] {
                let cell = Box(x: Float(column) * w, y: Float(row) * h, width: w, height: h)
                if !near.contains(where: { $0.intersectionArea(cell) > 0 }) { return true }
            }
        }
        return false
    }

    /// Whether a cell of the box (pixels of the view) has changed.
    func hasChanged(_ box: Box) -> Bool {
        func range(_ low: Float, _ high: Float, _ size: Int, _ cells: Int) -> ClosedRange<Int> {
            func cell(_ at: Float) -> Int { min(max(Int(at) * cells / max(size, 1), 0), cells - 1) }
            return cell(low)...max(cell(low), cell(high))
        }
        guard !changed.isEmpty else { return true }
        for row in range(box.y, box.maxY, height, Self.rows) {
            for column in range(box.x, box.maxX, width, Self.columns) where changed[row * Self.columns + column] {
                return true
            }
        }
        return false
    }

    private func mean(_ view: LumaView, _ column: Int, _ row: Int) -> Int {
        var sum = 0
        for j in 0..<Self.samples {
            let y = ((row * Self.samples + j) * 2 + 1) * view.height / (2 * Self.rows * Self.samples)
            let line = view.plane.base + y * view.plane.stride
            for i in 0..<Self.samples {
                sum += Int(line[((column * Self.samples + i) * 2 + 1) * view.width / (2 * Self.columns * Self.samples)])
            }
        }
        return sum / (Self.samples * Self.samples)
    }
}
