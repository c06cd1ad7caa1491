// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Search
import Testing

@testable import ControlSocket

/// Any line gives a request or an error, and the reply is one line of JSON.
@Suite struct ControlFuzzTests {
    private static let words = [
        "\"status\":", "\"reload\":", "\"dry_run\":", "\"pause\":", "\"pipeline\":", "\"focus\":", "\"detector\":",
        "\"id\":", "\"select\":", "\"result\":", "\"search\":", "\"results\":", "\"confidence\":", "\"payload\":",
        "\"error\":", "\"retryable\":", "\"request\":", "null", "true", "\\ud800", "\\u0000", "{\"a\":", "[", "{}",
    ]

    @Test func anyControlLineIsARequestOrAnError() throws {
        let corpus = try FuzzCorpus("control", words: Self.words)
        var (commands, refused) = (0, 0)
        try corpus.forEach(Fuzz.rounds(5000)) { input in
            let request = ControlRequest(line: input)
            let reply: ControlReply
            switch request.command {
            case .success(let command):
                commands += 1
                reply = .done()
                if case .search(.answer(_, .results(let results)), _) = command {
                    for payload in results.compactMap(\.payload) {
                        // The text is inserted into lines unchanged.
                        try #require(!payload.utf8.contains { $0 < 0x20 })
                        _ = try JSONSerialization.jsonObject(with: Data(payload.utf8), options: .fragmentsAllowed)
                    }
                    try #require(results.allSatisfy { (0...1).contains($0.confidence) && !$0.id.isEmpty })
                }
            case .failure(let invalid):
                refused += 1
                try #require(!invalid.reason.isEmpty && invalid.reason.utf8.count < 1000)
                reply = .failed(invalid.reason)
            }
            let line = reply.line(for: request.id)
            try #require(line.last == UInt8(ascii: "\n") && line.count { $0 < 0x20 } == 1)
            try #require(try JSONSerialization.jsonObject(with: Data(line)) is [String: Any])
        }
        print("control: \(commands) commands, \(refused) refused")
        #expect(commands > 100 && refused > 100)
    }
}
