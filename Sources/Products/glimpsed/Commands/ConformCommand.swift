import ArgumentParser
import Conformance
import Glibc

struct ConformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform", abstract: "Prove or refute that a file or a pipe is an event stream.",
        discussion: """
            Examples:
              glimpsed pipeline f.toml | tee events.jsonl | glimpsed conform
              glimpsed conform events.jsonl
              glimpsed watch --json | head -n 1000 | glimpsed conform --open
              glimpsed watch --json --kind barcode | glimpsed conform --filtered
              glimpsed watch --json --type detected --type completed | glimpsed conform --types detected,completed

            Checked, up to the first violation, which is printed with its line:
              lines     JSON objects in UTF-8, 64 KiB at most, each ended by a newline
              schema    all that docs/events.schema.json says; unknown types and members are let through
              sequence  without gaps in each run_id, as far as gap and coalesced do not account for them. A hello begins \
            another story, in which state says what is live; the first line after it may go back to where the reader resumed. \
            Lines without seq, as a pipeline in the foreground writes them, have none throughout
              frames    the lines of one frame and one detector come together, frames in order; in them completed, missing, \
            detected with update, update, each by ascending id
              lives     detected, update at once, (update | missing+ update)*, missing*, completed; ids ascend and are never used \
            again; everything is completed at the end
              zones     entered, dwelling, left; all are left before completed. In streams without gap and filter

            Not seen: lines missing at the end when no track is live there; in a stream without seq, an update or missing of a life \
            that goes on, a whole life, or a line about no track; values that are wrong but possible. With --types, \
            of lives what the other types would tell.

            Exit status: 0 it conforms, 1 it does not, 2 there is no line, 66 it cannot be read.
            """)

    @Flag(help: "Tracks may be live at the end, and the last line cut off: the reader stopped first.")
    var open = false

    @Flag(help: "Sequence numbers may jump: the reader wanted certain pipelines or kinds only.")
    var filtered = false

    @Option(
        help: ArgumentHelp(
            "The reader wanted these types of lines only; the same of sequence numbers as --filtered.",
            valueName: "types"))
    var types: String?

    @Flag(help: "Print the JSON Schema of the stream, and check nothing.")
    var schema = false

    @Argument(help: ArgumentHelp("The stream. Default: standard input, as with -.", valueName: "file"))
    var file = "-"

    func validate() throws {
        for type in wanted ?? [] where !ConformanceCheck.logTypes.contains(type) {
            throw ValidationError(
                "there is no type \"\(type)\"; one of: \(ConformanceCheck.logTypes.joined(separator: ", "))")
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
            say("glimpsed: no lines: nothing is proved")
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
