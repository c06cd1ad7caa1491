// SPDX-License-Identifier: Apache-2.0
import Foundation
import Search

@testable import ControlSocket

extension FuzzTarget {
    /// A line of the control socket. It is a command or an error with a reason, and the reply is one line of JSON.
    static let control = FuzzTarget(
        name: "control",
        words: [
            "\"status\":", "\"reload\":", "\"dry_run\":", "\"pause\":", "\"pipeline\":", "\"focus\":", "\"detector\":",
            "\"id\":", "\"select\":", "\"result\":", "\"search\":", "\"results\":", "\"confidence\":", "\"payload\":",
            "\"error\":", "\"retryable\":", "\"request\":", "null", "true", "\\ud800", "\\u0000", "{\"a\":", "[", "{}",
            "\"view\":", "\"clips\":", "\"clip\":", "\"history\":", "\"picture\":", "\"metrics\":", "\"since\":",
        ]
    ) { input in
        let request = ControlRequest(line: input)
        let reply: ControlReply
        switch request.command {
        case .success(let command):
            reply = .done()
            if case .search(.answer(_, .results(let results)), _) = command {
                for payload in results.compactMap(\.payload) {
                    try require(!payload.utf8.contains { $0 < 0x20 }, payload)
                    _ = try JSONSerialization.jsonObject(with: Data(payload.utf8), options: .fragmentsAllowed)
                }
                try require(results.allSatisfy { (0...1).contains($0.confidence) && !$0.id.isEmpty })
            }
        case .failure(let invalid):
            try require(!invalid.reason.isEmpty && invalid.reason.utf8.count < 1000, invalid.reason)
            reply = .failed(invalid.reason)
        }
        let line = reply.line(for: request.id)
        try require(line.last == UInt8(ascii: "\n") && line.count { $0 < 0x20 } == 1)
        try require(try JSONSerialization.jsonObject(with: Data(line)) is [String: Any])
    }
}
