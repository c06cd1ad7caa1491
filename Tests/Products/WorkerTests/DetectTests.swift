// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// Detection in single images.
@Suite struct DetectTests {
    private let scope = TestScope()

    @Test func detectContinuesAfterABadFile() throws {
        let good = try MediaMaker.picture(scope.path("a.png"), width: 64, height: 48, encoding: "pngenc")
        let bad = scope.write("b.png", "no picture")
        let result = Program.run(Worker.path, ["detect", "--barcode", good, bad, good])
        #expect(result.status == 1)
        #expect(result.lines.count == 3)
        #expect(result.lines.first == "{\"file\":\"\(good)\",\"width\":64,\"height\":48,\"features\":[]}")
        #expect(result.lines.dropFirst().first?.contains("\"error\":\"\(bad): ") == true)
        #expect(result.lines.last == result.lines.first)
    }

    @Test func detectReadsFileNamesFromStandardInput() throws {
        let picture = try MediaMaker.picture(
            scope.path("a.jpg"), width: 33, height: 21, format: "I420", encoding: "jpegenc")
        let result = Program.run(Worker.path, ["detect", "--barcode", "-"], input: "\(picture)\n\n\(picture)\n")
        #expect(result.status == 0)
        #expect(result.lines.count == 2 && result.lines.allSatisfy { $0.contains("\"width\":33,\"height\":21") })
    }

    /// A JPEG that stands upright when turned by 90 degrees clockwise: EXIF orientation 6.
    @Test func detectAppliesTheOrientationOfAPicture() throws {
        let picture = try MediaMaker.picture(
            scope.path("a.jpg"), width: 64, height: 48, format: "I420", encoding: "jpegenc")
        let jpeg = try TestFile.read(picture)
        try TestFile.write(ExifOrientation.insert(6, into: jpeg), to: picture)
        let result = Program.run(Worker.path, ["detect", "--barcode", picture])
        #expect(result.lines == ["{\"file\":\"\(picture)\",\"width\":48,\"height\":64,\"features\":[]}"])
    }

    @Test(arguments: [
        ("alpha.png", "RGBA", "pngenc"), ("deep.png", "GRAY16_BE", "pngenc"), ("grey.png", "GRAY8", "pngenc"),
        ("p.webp", "I420", "webpenc"), ("p.bmp", "BGR", "avenc_bmp"), ("p.tiff", "RGB", "avenc_tiff"),
        ("grey.jpg", "GRAY8", "jpegenc"), ("p.jpg", "Y444", "jpegenc"),
    ])
    func detectReadsEveryFileFormat(name: String, format: String, encoding: String) throws {
        // GStreamer's WebP encoder takes nothing smaller than 16.
        for (width, height) in name == "p.webp" ? [(16, 16), (641, 481)] : [(1, 1), (8192, 64), (641, 481)] {
            let path = try MediaMaker.picture(
                scope.path(name), width: width, height: height, format: format, encoding: encoding)
            let result = Program.run(Worker.path, ["detect", path, "--set", "face.model=cascade"])
            #expect(result.status == 0, "\(width)x\(height) \(result)")
            #expect(
                result.lines.first?.hasPrefix("{\"file\":\"\(path)\",\"width\":\(width),\"height\":\(height),") == true)
        }
    }
}
