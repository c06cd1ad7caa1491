// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import GlimpseClient

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Show how faces and barcodes become tracks and events, without a configuration.",
        discussion: """
            The demo uses the first camera. Without a camera it uses a built-in moving scene with a photographed face and \
            three barcodes. If an object model is installed, the demo also detects objects in the camera's frames. With \
            --web it runs the daemon and the live page until Ctrl-C, with the built-in scene unless --source names another.

            Examples:
              glimpsed demo
              glimpsed demo --source clip.mp4 --seconds 60
              glimpsed demo --json | jq .
              glimpsed demo --web
              glimpsed demo --web --source /dev/video0

            Exit status: 0 something was detected, 2 nothing was detected.
            """)

    @Option(help: ArgumentHelp("Use this source instead of the first camera.", valueName: "path-or-uri"))
    var source: String?

    @Option(help: "Stop after this number of seconds.")
    var seconds = 10

    @Flag(help: "Print the event lines on standard output.")
    var json = false

    @Flag(help: "Run the daemon and the live page on this machine until Ctrl-C.")
    var web = false

    @Option(help: ArgumentHelp("The page's address with --web.", valueName: "address"))
    var listen = "127.0.0.1:8420"

    func validate() throws {
        if web, json { throw ValidationError("--web prints no event lines; leave --json out") }
        guard seconds > 0 else { throw ValidationError("--seconds requires 1 or more") }
    }

    func run() throws {
        if web { return try WebDemo(source: source ?? "test:scene", listen: listen).run() }
        var arguments = ["demo", "--seconds", String(seconds)]
        if let source { arguments += ["--source", source] }
        let worker = try WorkerPipe(try WorkerProcess.path(), arguments)
        var lines = LineBuffer(worker.output)
        var narrator = Narrator()
        while let line = lines.next(timeout: -1) {
            if json { try StandardOutput.write(line + [UInt8(ascii: "\n")]) }
            if let event = Event(line: line), let sentence = narrator.tell(event) { say(sentence) }
        }
        let status = worker.wait()
        guard status == 0 else { throw ExitCode(status) }
        say(narrator.summary)
        if !narrator.sawAnything { throw ExitCode.nothingFound }
    }
}
