// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// A password that replaces a placeholder in a launch text. GStreamer receives the password, and its log does not,
/// though the element logs all its properties.
@Suite struct LaunchPasswordTests {
    private let scope = TestScope()

    private func run(_ text: String, logFile: String = "") -> ProgramResult {
        let secret = scope.write("password", "geheim42\n")
        return Worker.pipeline(
            "[source]\nkind = \"launch\"\nlaunch = \"\(text)\"\npassword_file = \"\(secret)\"\n", in: scope,
            environment: ["GST_DEBUG": "9", "GST_DEBUG_NO_COLOR": "1", "GST_DEBUG_FILE": logFile])
    }

    @Test(arguments: [false, true]) func aPasswordOfALaunchTextIsInNoLine(inFile: Bool) throws {
        let log = inFile ? scope.path("gst.log") : ""
        let result = run("filesrc location=/nowhere/{password}/film ! decodebin", logFile: log)
        let said = log.isEmpty ? result.errors : String(decoding: try TestFile.read(log), as: UTF8.self)
        // The library received the password; its messages are shown without it.
        #expect(said.contains("/nowhere/***/film"))
        #expect(!said.contains("geheim42") && !result.errors.contains("geheim42"))
        #expect(!String(decoding: result.output, as: UTF8.self).contains("geheim42"))
        #expect(said.contains(" filesrc "), "whole lines of the library's own form")
    }
}
