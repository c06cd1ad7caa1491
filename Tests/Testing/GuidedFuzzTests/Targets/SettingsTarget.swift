// SPDX-License-Identifier: Apache-2.0
import Settings

extension FuzzTarget {
    /// A settings file of the relay, the page, a pipeline or the daemon. It gives settings, or errors with reasons and
    /// lines of the file.
    static let settings = FuzzTarget(
        name: "settings",
        words: [
            "[[mqtt]]", "[[webhook]]", "name = ", "url = ", "mqtt://", "mqtts://", "https://", "password_file = ",
            "[source]", "[face]", "[[zone]]", "[[line]]", "[[mask]]", "[clip]", "[privacy]", "[snapshot]", "[search]",
            "[daemon]", "[events]", "[retention]", "[control]", "listen = ", "\"\"\"", "'''", "[=", "x = [}",
            "2026-01-01T", "1e999", "nan", "-inf", "0x", "\\u0000", "\\U0010FFFF", "\r\n", "\u{a1}", "\u{3001}",
            "\u{feff}", "\"1h\"", "\"16MiB\"", "\"100ms\"",
        ]
    ) { input in
        try requireReasons(input) { () throws(ConfigurationErrors) in _ = try RelaySettings.parse(bytes: input) }
        try requireReasons(input) { () throws(ConfigurationErrors) in _ = try WebSettings.parse(bytes: input) }
        try requireReasons(input) { () throws(ConfigurationErrors) in _ = try PipelineSettings.parse(bytes: input) }
        try requireReasons(input) { () throws(ConfigurationErrors) in _ = try DaemonSettings.parse(bytes: input) }
    }

    private static func requireReasons(_ input: [UInt8], _ body: () throws(ConfigurationErrors) -> Void) throws {
        do throws(ConfigurationErrors) {
            try body()
        } catch {
            let lines = input.count { $0 == UInt8(ascii: "\n") } + 2
            let found = error.errors
            try require(!found.isEmpty)
            for one in found {
                try require(!one.problem.isEmpty && one.line.map((1...lines).contains) ?? true, "\(one)")
                try require(!one.description.utf8.contains { $0 < 0x20 }, "\(one)")
            }
        }
    }
}
