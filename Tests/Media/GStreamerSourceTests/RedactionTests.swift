// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import GStreamerSource

@Suite struct RedactionTests {
    @Test(arguments: [
        ("nothing secret here", "nothing secret here"),
        ("wrong password geheim!", "wrong password ***!"),
        ("rtsp://viewer:other@camera/x failed", "rtsp://***@camera/x failed"),
        ("Authorization: Basic dmlld2VyOmZhbHNjaDE3 and so on", "Authorization: Basic *** and so on"),
        ("Basic a", "Basic a"),
        ("to \"http://a:b@c\" and rtsp://d/e@f", "to \"http://***@c\" and rtsp://d/e@f"),
    ])
    func secretsAreRemovedFromErrors(text: String, expected: String) {
        #expect(Redaction("geheim")(text) == expected)
    }

    @Test func anEmptyPasswordHidesNothing() {
        #expect(Redaction("")("plain") == "plain")
    }
}
