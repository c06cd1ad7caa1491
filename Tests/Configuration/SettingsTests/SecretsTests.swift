// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Settings

/// No message and no description contains a password, even if the password stands in a wrong place.
struct SecretsTests {
    private static let addresses = [
        "rtsp://viewer:s3cret@camera/", "rtsp://viewer:s3/cret@camera/", "rtsp://camera/user=a_password=s3cret @x",
        "rtsp:///?password=s3cret", "http://viewer:s3cret@camera/", "rtsp//viewer:s3cret@camera",
    ]

    @Test(arguments: addresses, ["url", "path", "launch", "device", "pattern", "kind", "user", "password", "rotation"])
    func noPasswordIsInErrors(address: String, key: String) {
        for kind in ["rtsp", "file", "v4l2", "test", "launch"] {
            let problems = pipelineProblems(
                "[source]\nkind = \"\(kind)\"\n\(key == "kind" ? "x" : key) = \"\(address)\"\n",
                set: key == "kind" ? [("source.kind", address)] : [])
            #expect(!problems.joined().contains("cret"))
        }
    }

    @Test(arguments: addresses)
    func noPasswordIsInErrorsOfArguments(address: String) {
        #expect(!pipelineProblems("", source: address).joined().contains("cret"))
        #expect(!pipelineProblems("source.kind = \"rtsp\"", set: [("source.url", address)]).joined().contains("cret"))
    }

    @Test func noPasswordIsInDescriptions() {
        var rtsp = RTSPSettings(url: "rtsp://u:s3cret@camera:554/password=s3cret?p=s3cret", user: "u")
        rtsp.password = .environment("CAMERA")
        #expect("\(rtsp)" == "rtsp://camera:554")
        for kind in [SourceKind.rtsp(rtsp), .launch("rtspsrc location=rtsp://u:s3cret@c/ user-pw=s3cret")] {
            let settings = PipelineSettings(name: "a", source: SourceSettings(kind: kind))
            #expect(!"\(settings)".contains("cret"))
            #expect(!String(reflecting: settings).contains("cret"))
        }
    }
}
