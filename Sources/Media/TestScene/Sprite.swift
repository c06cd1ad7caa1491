// SPDX-License-Identifier: Apache-2.0
/// A small I420 picture to put into a larger one. Width and height are even; chroma planes have half of both.
package struct Sprite: Sendable {
    package let width: Int
    package let height: Int
    package let luma: [UInt8]
    package let blue: [UInt8]
    package let red: [UInt8]

    package init(width: Int, height: Int, luma: [UInt8], blue: [UInt8], red: [UInt8]) {
        precondition(luma.count == width * height && blue.count == luma.count / 4 && red.count == blue.count)
        self.width = width
        self.height = height
        self.luma = luma
        self.blue = blue
        self.red = red
    }

    /// A symbol's modules (0 black, others white, row by row), each `scale` pixels wide; rows of a linear symbol are
    /// `scale * rowHeight` high.
    package init(modules: [UInt8], columns: Int, rows: Int, scale: Int, rowHeight: Int = 1) {
        let (stepX, stepY) = (scale, scale * rowHeight)
        let width = (columns * stepX + 1) & ~1
        let height = (rows * stepY + 1) & ~1
        var luma = [UInt8](repeating: 235, count: width * height)
        for y in 0..<rows * stepY {
            for x in 0..<columns * stepX where modules[y / stepY * columns + x / stepX] == 0 {
                luma[y * width + x] = 16
            }
        }
        let chroma = [UInt8](repeating: 128, count: width * height / 4)
        self.init(width: width, height: height, luma: luma, blue: chroma, red: chroma)
    }
}
