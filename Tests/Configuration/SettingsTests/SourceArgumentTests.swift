// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Settings

struct SourceArgumentTests {
    private func kind(_ argument: String, is path: BoundedFile.Kind = .absent) throws -> SourceKind {
        let table = try SourceArgument(argument) { _ in path }.table
        return try #require(SourceSettings(TableReader(table, context: DecodingContext(file: nil)))).kind
    }

    @Test func addressesOfSourceArguments() throws {
        #expect(try kind("rtsp://camera/s") == .rtsp(RTSPSettings(url: "rtsp://camera/s")))
        #expect(try kind("rtsps://camera:322/s?x=1") == .rtsp(RTSPSettings(url: "rtsps://camera:322/s?x=1")))
        #expect(try kind("file:///a%20b/c.mp4") == .file(path: "/a b/c.mp4"))
        #expect(try kind("FILE://localhost/c.png") == .images(path: "/c.png"))
        #expect(try kind("test:") == .test())
        #expect(try kind("test:smpte") == .test(pattern: "smpte"))
        let launch = "uridecodebin uri=\"https://host/a!b.m3u8\" caps=\"video/x-raw(ANY)\" expose-all-streams=false"
        #expect(try kind("https://host/a!b.m3u8") == .launch(launch))
    }

    @Test func pathsOfSourceArguments() throws {
        let here = FileManager.default.currentDirectoryPath
        #expect(try kind("/dev/video2", is: .device) == .v4l2(device: "/dev/video2"))
        #expect(try kind("/dev/v4l/by-id/usb-x") == .v4l2(device: "/dev/v4l/by-id/usb-x"))
        #expect(try kind("/srv/camera", is: .device) == .v4l2(device: "/srv/camera"))
        #expect(try kind("clip.mp4", is: .file) == .file(path: "\(here)/clip.mp4"))
        #expect(try kind("missing") == .file(path: "\(here)/missing"))
        #expect(try kind("moving.GIF", is: .file) == .file(path: "\(here)/moving.GIF"))
        #expect(try kind("a.PNG", is: .file) == .images(path: "\(here)/a.PNG"))
        #expect(try kind("pictures", is: .folder) == .images(path: "\(here)/pictures"))
        #expect(try kind("pictures/*.jpg") == .images(path: "\(here)/pictures/*.jpg"))
        #expect(try kind("take[1].mp4", is: .file) == .file(path: "\(here)/take[1].mp4"))
        #expect(try kind(".png", is: .file) == .file(path: "\(here)/.png"))
    }

    @Test(arguments: [
        ("", "--source: nothing is given"),
        ("file://host/x", "--source: a file address must be file:///PATH"),
        ("file:///%zz", "--source: a file address must be file:///PATH"),
        ("file:///a%00b", "--source: a file address must be file:///PATH"),
        (
            "http://h/a b",
            "--source: the address has invalid characters; write them as %20 and so on"
        ),
        (
            "http://h/\" ! filesink",
            "--source: the address has invalid characters; write them as %20 and so on"
        ),
        (
            "rtsp://viewer:s3cret@camera/",
            "--source: the address must not have a user or a password in it: every process here can read arguments; "
                + "write a pipeline file with user and password_file"
        ),
        (
            "http://u:s3cret/x@h/",
            "--source: the address must not have a user or a password in it: every process here can read arguments; "
                + "write a pipeline file with user and password_file"
        ),
        ("rtsp://", "--source: url must be an address such as rtsp://camera/stream"),
        (
            "test:bal",
            "--source: pattern must be \"scene\" or a pattern of videotestsrc, not \"bal\"; did you mean \"ball\"?"
        ),
    ])
    func unusableSourceArgumentsAreRefused(argument: String, message: String) {
        #expect {
            try SourceSettings.from(argument: argument)
        } throws: {
            "\($0)" == message
        }
    }

    @Test func theFileOnTheDiskDecidesTheKindOfSource() throws {
        try withFolder { folder in
            let file = try folder.write("a[1]", "")
            #expect(try SourceSettings.from(argument: file).kind == .file(path: file))
            #expect(try SourceSettings.from(argument: folder.path).kind == .images(path: folder.path))
            #expect(try SourceSettings.from(argument: "/dev/null").kind == .v4l2(device: "/dev/null"))
        }
    }
}
