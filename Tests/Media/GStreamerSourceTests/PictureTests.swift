// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Settings
import Testing

/// Folders and globs of pictures.
@Suite struct PictureTests {
    private let scope = TestScope()

    @Test func aFolderOfPicturesIsAStreamOfDifferentSizes() throws {
        try MediaMaker.picture(scope.path("b.png"), width: 64, height: 48, pattern: "white", encoding: "pngenc")
        try MediaMaker.picture(
            scope.path("a.jpg"), width: 33, height: 21, format: "I420", pattern: "black", encoding: "jpegenc")
        try MediaMaker.picture(scope.path("c.webp"), width: 120, height: 50, format: "RGBA", encoding: "webpenc")
        scope.write("notes.txt", "no picture")
        let read = FrameReader(try PlaylistSource(SourceSettings(kind: .images(path: scope.folder))))
        #expect(read.error == nil)
        #expect(read.infos.map { [$0.width, $0.height] } == [[33, 21], [64, 48], [120, 50]])
        #expect(read.infos.map(\.sequence) == [1, 2, 3])
        #expect(read.infos.map(\.seconds) == [0, 1, 2])
    }

    @Test func aGlobSelectsPicturesAndLoops() throws {
        for name in ["x1.png", "x2.png", "y.png"] {
            try MediaMaker.picture(scope.path(name), width: 16, height: 16, encoding: "pngenc")
        }
        let settings = SourceSettings(kind: .images(path: scope.path("x?.png"), loop: true), fps: FrameRate(4))
        let read = FrameReader(try PlaylistSource(settings), most: 5)
        #expect(read.infos.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(read.infos.map(\.seconds) == [0, 0.25, 0.5, 0.75, 1])
    }

    @Test func aSlideShowInRealTimeKeepsItsPace() throws {
        for name in ["1.png", "2.png", "3.png"] {
            try MediaMaker.picture(scope.path(name), width: 16, height: 16, encoding: "pngenc")
        }
        let settings = SourceSettings(kind: .images(path: scope.folder, pace: .realtime), fps: FrameRate(5))
        let started = ContinuousClock.now
        let read = FrameReader(try PlaylistSource(settings))
        #expect(read.infos.map(\.sequence) == [1, 2, 3])
        #expect(ContinuousClock.now - started >= .milliseconds(400))
    }

    @Test func aDamagedPictureIsNamed() throws {
        try MediaMaker.picture(scope.path("1.png"), width: 16, height: 16, encoding: "pngenc")
        scope.write("2.png", "this is no picture")
        let read = FrameReader(try PlaylistSource(SourceSettings(kind: .images(path: scope.folder))))
        #expect(read.frames.count == 1)
        #expect(read.error?.kind == .unreadable)
        #expect(read.error?.description.hasPrefix(scope.path("2.png")) == true)
    }

    @Test func aSourceWithoutPicturesIsAnError() {
        #expect(throws: SourceError(.missing, "\(scope.folder): has no pictures in it")) {
            try PlaylistSource(SourceSettings(kind: .images(path: scope.folder)))
        }
        #expect(throws: SourceError(.missing, "\(scope.path("*.png")): there is no such file, folder or match")) {
            try PlaylistSource(SourceSettings(kind: .images(path: scope.path("*.png"))))
        }
    }

    @Test(arguments: [(1, 1), (3, 5), (8192, 64), (641, 481)])
    func picturesOfAnySizeAreRead(width: Int, height: Int) throws {
        for (suffix, encoding) in [("png", "pngenc"), ("jpg", "jpegenc"), ("bmp", "avenc_bmp")] {
            let format = suffix == "png" ? "RGB" : suffix == "jpg" ? "I420" : "BGR"
            let path = try MediaMaker.picture(
                scope.path("p.\(suffix)"), width: width, height: height, format: format, pattern: "white",
                encoding: encoding)
            let read = FrameReader(SourceSettings(kind: .file(path: path)))
            #expect(read.error == nil, "\(path)")
            #expect(read.infos.map { [$0.width, $0.height] } == [[width, height]])
            #expect(read.frames.allSatisfy { $0.meanLuma() > 225 }, "\(path)")
        }
    }
}
