// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import VisionDetectors

@Suite struct FaceScanPlanTests {
    private func plan(_ width: Int, _ height: Int, _ size: Double, accurate: Bool = true) -> FaceScanPlan {
        FaceScanPlan(width: width, height: height, smallestFace: size * Double(width), isAccurate: accurate)
    }

    @Test(arguments: [
        (1280, 720, 0.1, false, 320, 192), (1280, 720, 0.1, true, 640, 384), (1280, 720, 0.05, true, 1280, 736),
        (640, 480, 0.1, false, 320, 256), (640, 480, 0.1, true, 640, 480), (1920, 1080, 0.05, true, 1280, 736),
        (320, 240, 0.5, false, 160, 128), (427, 240, 0.1, true, 448, 256), (1280, 720, 0.01, false, 1280, 736),
    ])
    func theScanSizeFollowsTheSmallestFace(
        width: Int, height: Int, size: Double, accurate: Bool, inputWidth: Int, inputHeight: Int
    ) {
        let whole = FaceScanPlan.Pass(width: width, height: height, inputWidth: inputWidth, inputHeight: inputHeight)
        #expect(plan(width, height, size, accurate: accurate).passes == [whole])
    }

    @Test func onlySmallFacesInAccurateModeGetTiles() {
        #expect(plan(1280, 720, 0.02).passes.count == 7)
        #expect(plan(1280, 720, 0.02, accurate: false).passes.count == 1)
        // The whole picture of a wide camera has a third of its pixels.
        #expect(plan(3840, 2160, 0.03).passes.count == 1)
        #expect(plan(3840, 2160, 0.02).passes.count > 1)
    }

    /// Wherever a face is that the whole picture shows too small, a tile has all of it, with the pixels it should have.
    @Test func everySmallFaceIsWhollyInATile() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<300 {
            let (width, height) = (Int.random(in: 64...4000, using: &random), Int.random(in: 64...2400, using: &random))
            let size = Double.random(in: 0.005...0.05, using: &random)
            let smallest = size * Double(width)
            let passes = plan(width, height, size).passes
            for pass in passes {
                #expect(pass.inputWidth % 32 == 0 && pass.inputHeight % 32 == 0)
                guard pass.isTile else { continue }
                #expect(pass.x % 2 == 0 && pass.y % 2 == 0 && pass.width % 2 == 0 && pass.height % 2 == 0)
                #expect(pass.x >= 0 && pass.y >= 0 && pass.x + pass.width <= width && pass.y + pass.height <= height)
                #expect((pass.width, pass.inputWidth) == (passes[1].width, passes[1].inputWidth))
                let scale = Double(pass.inputWidth) / Double(pass.width)
                #expect(scale * smallest >= 31.9 || scale >= 2.99)
                // Three times as many pixels as the picture at most, and what overlaps.
                #expect(scale <= 3.6)
            }
            guard passes.count > 1, Double(height) > 2 * smallest else { continue }
            let face = Box(
                x: .random(in: 0...Float(width) - Float(smallest), using: &random),
                y: .random(in: 0...Float(height) - Float(1.35 * smallest), using: &random), width: Float(smallest),
                height: Float(1.35 * smallest))
            let tiles = passes.dropFirst().filter { tile in
                tile.holds(face, ofPictureWidth: width, height: height)
                    && face.intersectionArea(
                        Box(
                            x: Float(tile.x), y: Float(tile.y), width: Float(tile.width + 1),
                            height: Float(tile.height + 1))) > 0.99 * face.area
            }
            #expect(!tiles.isEmpty, "\(width)x\(height), \(face)")
        }
    }
}
