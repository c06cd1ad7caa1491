// SPDX-License-Identifier: Apache-2.0
import Frames
import Testing

@testable import Pictures

/// Scripts of the encoded frames that a viewer gets. A second has 10 frames, and every 10th is a key frame.
@Suite struct VideoCursorTests {
    private static func frames(_ numbers: ClosedRange<UInt64>, format: Int = 1) -> [EncodedFrame] {
        numbers.map { number in
            EncodedFrame(
                number: number, presentationTime: Int64(number) * 100_000_000, bytes: 1000, isKey: number % 10 == 0,
                format: format)
        }
    }

    private func take(_ cursor: inout VideoCursor, _ frames: [EncodedFrame], until limit: Int64 = .max) -> [UInt64]? {
        guard let due = cursor.due(frames, until: limit) else { return nil }
        for frame in due { cursor.advance(to: frame) }
        return due.map(\.number)
    }

    @Test func aViewerBeginsWithTheNewestKeyFrame() {
        var cursor = VideoCursor()
        #expect(take(&cursor, Self.frames(10...25)) == Array(20...25))
        #expect(take(&cursor, Self.frames(10...27)) == [26, 27])
        #expect(cursor.sent == 8 && cursor.lost == 0)
    }

    @Test func aViewerWaitsForAKeyFrameAndForTheTimeOfAFrame() {
        var cursor = VideoCursor()
        #expect(take(&cursor, Self.frames(11...19)) == [])
        #expect(take(&cursor, Self.frames(11...25), until: 1_950_000_000) == [])
        #expect(take(&cursor, Self.frames(11...25), until: 2_100_000_000) == [20, 21])
    }

    @Test func framesWithoutATimeOrBeforeTheFirstDecodedFrameAreLeftOut() {
        var cursor = VideoCursor()
        var frames = Self.frames(10...25)
        for index in 0...10 { frames[index].presentationTime = -1 }
        #expect(take(&cursor, frames) == [])
        frames = Self.frames(10...25)
        frames[13].presentationTime = nil
        #expect(take(&cursor, frames) == [20, 21, 22])
        #expect(take(&cursor, frames) == [])
        #expect(take(&cursor, Self.frames(24...33)) == Array(30...33))
    }

    @Test func aViewerThatIsTooFarBehindLosesWholeGroupsOfPictures() {
        var cursor = VideoCursor()
        #expect(take(&cursor, Self.frames(20...21)) == [20, 21])
        #expect(take(&cursor, Self.frames(20...41)) == Array(22...41))
        #expect(take(&cursor, Self.frames(20...75)) == Array(70...75))
        #expect(cursor.lost == 28)
        // Its next frame has left the memory.
        #expect(take(&cursor, Self.frames(80...83)) == Array(80...83))
        #expect(cursor.lost == 32)
    }

    @Test func theVideoEndsWithItsFormat() {
        var cursor = VideoCursor()
        #expect(take(&cursor, Self.frames(20...21)) == [20, 21])
        #expect(take(&cursor, Self.frames(20...25) + Self.frames(26...31, format: 2)) == Array(22...25))
        #expect(take(&cursor, Self.frames(26...31, format: 2)) == nil)
    }
}
