// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations
import PictureEncoding
import PictureRelease
import Testing

/// Pictures are encoded from the memory of their frames, whatever the layout.
@Suite struct EncodedPictureTests {
    private final class Memory {
        let base: UnsafeMutablePointer<UInt8>

        init(_ count: Int) {
            base = .allocate(capacity: count)
            base.initialize(repeating: 255, count: count)
        }

        deinit { base.deallocate() }
    }

    /// A picture of diagonal stripes.
    ///
    /// - Parameter padding: white bytes after each row.
    private static func frame(
        _ format: PixelFormat, width: Int, height: Int, padding: Int
    ) -> (frame: Frame, memory: Memory) {
        let sizes = format.planeSizes(width: width, height: height)
        let memory = Memory(sizes.reduce(0) { $0 + ($1.width + padding) * $1.height })
        var planes: [Plane] = []
        var start = memory.base
        for size in sizes {
            let stride = size.width + padding
            for row in 0..<size.height {
                for column in 0..<size.width { start[row * stride + column] = UInt8(16 + (row + column) % 64) }
            }
            planes.append(Plane(base: UnsafePointer(start), stride: stride))
            start += stride * size.height
        }
        let info = FrameInfo(
            sequence: 1, presentationTime: 0, time: Timestamp(nanoseconds: 0), clock: .file, width: width,
            height: height)
        return (Frame(info: info, format: format, planes: planes, storage: memory), memory)
    }

    /// 64x48 are whole units of coding; 60x44 are not, and are copied.
    @Test(arguments: PixelFormat.allCases, [(64, 48), (60, 44)])
    func rowsMayHavePadding(format: PixelFormat, size: (width: Int, height: Int)) throws {
        let pictures = try [0, 5].map { padding in
            let made = Self.frame(format, width: size.width, height: size.height, padding: padding)
            let released = try #require(PictureRelease(CoverRules()).releaseAtOnce(made.frame))
            return try PictureEncoder.encode(released).bytes
        }
        #expect(pictures[0] == pictures[1] && pictures[0].count > 500)
    }

    /// Detectors may still look at the frame.
    @Test func captionsAreNotWrittenIntoTheFrame() throws {
        let made = Self.frame(.i420, width: 320, height: 240, padding: 0)
        let before = Array(UnsafeBufferPointer(start: made.memory.base, count: 320 * 240 * 3 / 2))
        let released = try #require(PictureRelease(CoverRules()).releaseAtOnce(made.frame))
        let plain = try PictureEncoder.encode(released).bytes
        let captioned = try PictureEncoder.encode(released, PictureEncoder.Form(caption: "a face")).bytes
        #expect(plain != captioned)
        #expect(Array(UnsafeBufferPointer(start: made.memory.base, count: before.count)) == before)
    }

    @Test func anEncodedFrameIsReleased() throws {
        weak var memory: Memory?
        do {
            let made = Self.frame(.i420, width: 64, height: 48, padding: 0)
            memory = made.memory
            let released = try #require(PictureRelease(CoverRules()).releaseAtOnce(made.frame))
            let encoder = PictureEncoder()
            for _ in 0..<2 { _ = try encoder.encode(released) }
        }
        #expect(memory == nil)
    }
}
