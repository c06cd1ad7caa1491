// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The compiler refuses an exit that does not go through `PictureRelease`.
@Suite struct UnroutedExitTests {
    private let scope = TestScope()

    private func compile(_ body: String) -> ProgramResult {
        let file = scope.write(
            "Exit.swift",
            """
            import Frames
            import PictureRelease

            // The parameter's type is that of the encoder and of the files of frames.
            func encode(_ picture: ReleasedPicture) {}
            // The type of the video of clips and viewers.
            func record(_ video: ReleasedVideo) {}

            func exit(_ frame: Frame, _ video: any CameraVideo, _ pictures: some PictureVideo, _ release: PictureRelease) {
                \(body)
            }
            """)
        let modules = (Program.built("glimpsed") as NSString).deletingLastPathComponent + "/Modules"
        return Program.run(
            "swiftc", ["-typecheck", "-swift-version", "6", "-package-name", Self.package, "-I", modules, file])
    }

    /// SwiftPM names the package after its folder.
    private static var package: String {
        (Checkout.root as NSString).lastPathComponent.lowercased().replacingOccurrences(of: "-", with: "_")
    }

    @Test func anExitThroughTheReleaseCompiles() {
        let result = compile(
            "release.release(release.hold(frame)) { if let picture = try? $0.get() { encode(picture) } }")
        #expect(result.status == 0, "\(result)")
    }

    @Test func anExitOfVideoThroughTheReleaseCompiles() {
        let result = compile(
            "for released in [release.releaseAtOnce(video), release.releaseAtOnce(pictures: pictures)] { released.map(record) }"
        )
        #expect(result.status == 0, "\(result)")
    }

    @Test(arguments: [
        "encode(frame)",
        "encode(ReleasedPicture(frame))",
        "encode(ReleasedPicture(frame: frame))",
        "pictures.take(frame)",
        "record(video)",
        "record(pictures)",
        "release.releaseAtOnce(pictures: video)",
        "record(ReleasedVideo(video))",
        "record(ReleasedVideo(video: video))",
    ])
    func anExitAroundTheReleaseDoesNotCompile(body: String) {
        let result = compile(body)
        #expect(result.status != 0, "\(result)")
        let isRefused =
            result.errors.contains(
                /'Released(Picture|Video)' initializer is inaccessible due to 'fileprivate'/)
            || result.errors.contains(
                /cannot convert value of type '[^']*' to expected argument type 'Released(Picture|Video)'/)
            || result.errors.contains("requires that 'some PictureVideo' conform to 'PictureVideo'")
        #expect(isRefused, "\(result)")
    }
}
