// SPDX-License-Identifier: Apache-2.0
import ModelCatalog
import Observations

/// How a picture is shown to a face network: as a whole, and perhaps in overlapping tiles. Tiles show the smallest
/// wanted faces, if they are too small in the whole picture.
///
/// YuNet N finds all faces from 20 network pixels on, YuNet S from 32 (`docs/performance/faces.md`); more makes boxes
/// and landmarks steadier.
struct FaceScanPlan: Equatable {
    /// One run of the network on a rectangle of the picture; pixels.
    struct Pass: Equatable {
        /// Even, as 4:2:0 chroma needs. All tiles have one size.
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        /// Multiples of 32.
        var inputWidth: Int
        var inputHeight: Int
        /// Whether the rectangle's pixels are network pixels or more, as the input's size says; the whole picture is
        /// never enlarged.
        var isTile = false
    }

    /// How wide the smallest wanted face is made for the network.
    static let facePixels = (fast: 32.0, accurate: 64.0)
    /// More than this is no more detail.
    private static let largestScale = 3.0
    private static let narrowestInput = 160
    private static let widestInput = 1280
    /// The wanted side of a tile's input, in pixels, before it is fitted to the picture.
    private static let tilePixels = 640.0

    /// Shows the picture at its own pixels, 1280 across at most: what is found there, a smaller `min_size` shows in
    /// either mode. In tiles, because a network for the whole takes 44 MiB.
    static func finest(width: Int, height: Int) -> [Pass] {
        tiles(
            width: width, height: height, scale: min(1, Double(widestInput) / Double(width)),
            overlap: 1.4 * facePixels.accurate)
    }

    /// The whole picture first.
    let passes: [Pass]

    /// - Parameters:
    ///   - width, height: of the picture, 2 pixels or more.
    ///   - smallestFace: width of the smallest wanted face, in its pixels; above 0.
    ///   - isAccurate: whether faces that are smaller than `facePixels.fast` get tiles, which enlarge them to it by up
    ///     to three times.
    init(width: Int, height: Int, smallestFace: Double, isAccurate: Bool) {
        let wanted = (isAccurate ? Self.facePixels.accurate : Self.facePixels.fast) / smallestFace
        let inputWidth = min(
            max(Self.roundedUp(Double(width) * min(1, wanted)), Self.narrowestInput), Self.widestInput)
        let scale = min(1, Double(inputWidth) / Double(width))
        let inputHeight = min(Self.roundedUp(Double(height) * scale), 2 * Self.widestInput)
        let whole = Pass(width: width, height: height, inputWidth: inputWidth, inputHeight: inputHeight)
        let detail = min(Self.largestScale, Self.facePixels.fast / smallestFace)
        guard isAccurate, detail > 1.05 * scale else {
            passes = [whole]
            return
        }
        // Faces that the whole picture shows with fewer than the fast pixels lie wholly in some tile. They are higher
        // than wide.
        let overlap = 1.4 * Self.facePixels.fast * detail / scale
        passes = [whole] + Self.tiles(width: width, height: height, scale: detail, overlap: overlap)
    }

    private static func tiles(width: Int, height: Int, scale: Double, overlap: Double) -> [Pass] {
        let columns = Row(length: width, scale: scale, overlap: overlap)
        let rows = Row(length: height, scale: scale, overlap: overlap)
        return rows.starts.flatMap { y in
            columns.starts.map { x in
                Pass(
                    x: x, y: y, width: columns.size, height: rows.size, inputWidth: columns.input,
                    inputHeight: rows.input, isTile: true)
            }
        }
    }

    /// Tiles along one edge.
    private struct Row {
        let starts: [Int]
        let size: Int
        let input: Int

        init(length: Int, scale: Double, overlap: Double) {
            let whole = Double(length) * scale
            let count =
                whole <= FaceScanPlan.tilePixels
                ? 1 : Int(((whole - overlap) / (FaceScanPlan.tilePixels - overlap)).rounded(.up))
            input = FaceScanPlan.roundedUp((whole + Double(count - 1) * overlap) / Double(count))
            size = max(2, min(length & ~1, Int(Double(input) / scale) & ~1))
            let rest = (length & ~1) - size
            starts = (0..<count).map { count == 1 ? 0 : ($0 * rest / (count - 1)) & ~1 }
        }
    }

    /// Whether a pass shows its rectangle to an input of that size and resize.
    func needs(_ input: ModelInput) -> Bool { passes.contains { $0.input(like: input) == input } }

    private static func roundedUp(_ pixels: Double) -> Int { max(1, Int((pixels / 32).rounded(.up))) * 32 }
}

extension FaceScanPlan.Pass {
    /// Network pixels per pixel of the picture.
    var scale: Double {
        let scale = min(Double(inputWidth) / Double(width), Double(inputHeight) / Double(height))
        return isTile ? scale : min(1, scale)
    }

    /// The input of the network that sees the rectangle; the rest is as in `other`.
    func input(like other: ModelInput) -> ModelInput {
        var input = other
        (input.width, input.height) = (inputWidth, inputHeight)
        input.resize = isTile ? .stretch : .inset(padding: 0)
        return input
    }

    /// Whether a box lies within the rectangle, but for those edges that are the picture's. A face that sticks out of a
    /// tile is seen whole by another tile, or in the whole picture.
    func holds(_ box: Box, ofPictureWidth pictureWidth: Int, height pictureHeight: Int) -> Bool {
        guard isTile else { return true }
        return (x == 0 || box.x >= Float(x)) && (y == 0 || box.y >= Float(y))
            && (x + width >= pictureWidth & ~1 || box.maxX <= Float(x + width))
            && (y + height >= pictureHeight & ~1 || box.maxY <= Float(y + height))
    }
}
