// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Every example of docs/reference/control.md, in its order, against the built daemon with real workers. Numbers may
/// differ.
@Suite struct ControlPageTests {
    private let bench = RealBench()

    @Test func examplesOfTheControlPageAreTrue() async throws {
        let page = try String(contentsOfFile: "\(Checkout.root)/docs/reference/control.md", encoding: .utf8)
        bench.write("front-door", barcode: "")
        bench.write("porch", barcode: "max_rate = 10\n")
        let daemon = bench.run()
        let control = try await bench.bench.control()
        var examples = 0
        for block in page.components(separatedBy: "\n```").dropFirst() {
            let lines = block.split(separator: "\n").map(String.init)
            switch lines.first {
            case "console run=control":
                for example in Self.examples(lines.dropFirst(), prompt: "$ ") {
                    try await expect(example.output) { try run(example.input) }
                    examples += 1
                }
            case "json":
                for example in Self.examples(lines.dropFirst(), prompt: "> ") {
                    try await expect(example.output.map { String($0.dropFirst(2)) }) {
                        [try control.ask(example.input)]
                    }
                    examples += 1
                }
            default: break
            }
        }
        #expect(examples >= 25)
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    /// The daemon's status changes in the first seconds. The test waits for the status of the page.
    private func expect(_ documented: [String], _ ask: () throws -> [String]) async throws {
        var answer: [String] = []
        let wanted = documented.map(masked)
        let holdsInTime = try await holds(within: .seconds(documented.joined().contains("connected") ? 60 : 0)) {
            answer = try ask()
            return answer.map(masked) == wanted
        }
        #expect(
            holdsInTime,
            "the page says\n\(documented.joined(separator: "\n"))\nand it is\n\(answer.joined(separator: "\n"))")
    }

    private func run(_ command: String) throws -> [String] {
        let glimpsed = "\(Program.built("glimpsed")) "
        var line = command.replacing("/etc/glimpsed", with: bench.bench.scope.folder)
        if line.hasPrefix("glimpsed ") {
            line = glimpsed + line.dropFirst("glimpsed ".count) + " --config \(bench.bench.scope.path("config.toml"))"
        }
        return Program.run("/bin/sh", ["-c", line]).errors.split(separator: "\n").map(String.init)
    }

    /// The text with the page's folder, and `0` in place of every number and run id.
    private func masked(_ line: String) -> String {
        line.replacing(bench.bench.scope.path("state"), with: "/var/lib/glimpsed")
            .replacing(bench.bench.scope.folder, with: "/etc/glimpsed")
            .replacing(/"run_id":"[0-9a-f]+"/, with: "\"run_id\":\"0\"")
            .replacing(/[0-9]+(\.[0-9]+)?/, with: "0")
            // A busy machine drops frames.
            .replacing("busy 0, ", with: "").replacing(", dropped: busy 0", with: "")
            // Up for a minute and more.
            .replacing(/0 min 0 s/, with: "0 s")
    }

    private static func examples(
        _ lines: some Sequence<String>, prompt: String
    ) -> [(input: String, output: [String])] {
        var examples: [(input: String, output: [String])] = []
        for line in lines {
            if line.hasPrefix(prompt) {
                examples.append((String(line.dropFirst(prompt.count)), []))
            } else if !examples.isEmpty {
                examples[examples.count - 1].output.append(line)
            }
        }
        return examples
    }
}
