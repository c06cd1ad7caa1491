// SPDX-License-Identifier: Apache-2.0
import Logging
import Observations
import Testing

@testable import Daemon

@Suite struct StandardErrorLogTests {
    @Test(
        arguments: [
            (.text, "1970-01-01T00:00:00.000000000Z warning: two lines [0m pipeline=door"),
            (.journal, "<4>two lines [0m pipeline=door"),
            (
                .json,
                #"{"time":"1970-01-01T00:00:00.000000000Z","level":"warning","message":"two\nlines\u001b[0m","pipeline":"door"}"#
            ),
        ] as [(StandardErrorLog.Format, String)])
    func anEntryIsOneLineWithoutControlCharacters(format: StandardErrorLog.Format, line: String) {
        let bytes = StandardErrorLog.line(
            format, level: .warning, message: "two\nlines\u{1b}[0m", metadata: [("pipeline", "door")], time: .epoch)
        #expect(String(decoding: bytes, as: UTF8.self) == line)
    }
}
