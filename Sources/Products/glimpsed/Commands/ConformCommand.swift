// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Conformance
import Glibc

struct ConformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform", abstract: "Check that a file or a pipe is a valid event stream.",
        discussion: """
            Examples:
              glimpsed pipeline f.toml | tee events.jsonl | glimpsed conform
              glimpsed conform events.jsonl
              glimpsed watch --json | head -n 1000 | glimpsed conform --open
              glimpsed watch --json --kind barcode | glimpsed conform --filtered
              glimpsed watch --json --type detected --type completed | glimpsed conform --types detected,completed

            The check stops at the first violation and prints it with its line number. These rules apply:
              lines     Each line is a JSON object in UTF-8, has at most 64 KiB and ends with a newline.
              schema    Each line matches docs/events.schema.json. Unknown types and members are allowed.
              sequence  Sequence numbers have no gaps within a run_id, except where gap and coalesced explain them. After \
            hello, state lists the live tracks, and the numbers may restart at the point from which the subscriber resumes. \
            A stream without seq, as a pipeline in the foreground writes it, has no seq in any line.
              frames    The lines of one frame and one detector are adjacent, and frames are in order. Within a frame the \
            order is completed, missing, detected with its update, update; each in ascending order of ids.
              tracks    A track is detected, update, (update | missing+ update)*, missing*, completed. Ids ascend and are \
            never reused. At the end every track is completed.
              zones     A track's zone is entered, dwelling, left. A track leaves all zones before completed. This rule \
            applies to streams without gap and without a filter.

            The check cannot find missing lines at the end of a stream without live tracks. Without seq, it cannot find a \
            missing update or missing line of a live track, a missing whole track, or a missing line about no track. It \
            cannot find a wrong value that the schema permits. With --types, it cannot apply rules that need the other types.

            Exit status: 0 the stream conforms, 1 the stream has a violation, 2 the stream has no lines, \
            66 the file cannot be read.
            """)

    @Flag(help: "Accept live tracks and a truncated line at the end, for a subscriber that stopped early.")
    var open = false

    @Flag(help: "Accept jumps in sequence numbers, for a subscriber that selected pipelines or kinds.")
    var filtered = false

    @Option(
        help: ArgumentHelp(
            "The line types that the subscriber selected. Accepts jumps in sequence numbers, as --filtered does.",
            valueName: "types"))
    var types: String?

    @Flag(help: "Print the JSON Schema of the stream and exit.")
    var schema = false

    @Argument(help: ArgumentHelp("The event stream; - is standard input.", valueName: "file"))
    var file = "-"

    func validate() throws {
        for type in wanted ?? [] where !ConformanceCheck.logTypes.contains(type) {
            throw ValidationError(
                "unknown type \"\(type)\"; choose one of: \(ConformanceCheck.logTypes.joined(separator: ", "))")
        }
    }

    private var wanted: Set<String>? { types.map { Set($0.split(separator: ",").map(String.init)) } }

    func run() throws {
        if schema { return try StandardOutput.write(Array(SchemaDocument.text.utf8)) }
        let descriptor = file == "-" ? STDIN_FILENO : Glibc.open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable() }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var check = ConformanceCheck(isFiltered: filtered, types: wanted, isOpen: open)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while check.violation == nil {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable() }
            guard count > 0 else { break }
            check.take(buffer[..<count])
        }
        check.finish()
        if let violation = check.violation {
            try StandardOutput.write(Array("\(violation)\n".utf8))
            throw ExitCode.failed
        }
        let summary = check.summary
        guard summary.lines > 0 else {
            say("glimpsed: the stream has no lines")
            throw ExitCode.nothingFound
        }
        let parts = [
            counted(summary.lines, "line"), counted(summary.tracks, "track"), counted(summary.detectors, "detector"),
            counted(summary.runs, "run"),
        ]
        say("conforms: \(parts.joined(separator: ", "))")
    }

    private func unreadable() -> ExitCode {
        say("glimpsed: \(file): \(String(cString: strerror(errno)))")
        return .inputMissing
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
