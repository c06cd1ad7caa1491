// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Detectors
import ExternalDetectors
import ProgramHost
import Settings

#if canImport(Glibc)
    import Glibc
#endif

struct DetectorTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detector-test",
        abstract: "Test a detector that is a program.",
        usage: "glimpsed detector-test [--format <format>] ... [--timeout <seconds>] [--network] <command> ...",
        discussion: """
            Examples:
              glimpsed detector-test python3 ./plates.py
              glimpsed detector-test --format rgb24 ./plates --model plates.onnx

            The program runs as in a pipeline with [external.NAME]: in a sandbox, with frames in shared memory. The test sends \
            frames of every format, of ordinary and odd sizes, and checks each answer and the program's end. Arguments that \
            begin with ./ or ../ are paths in this folder.

            Exit status: 0 the program passed, 1 the program has a fault.
            """)

    @Option(help: ArgumentHelp("Test only this format: gray8, nv12 or rgb24. May be repeated.", valueName: "format"))
    var format: [Format] = []

    @Option(help: ArgumentHelp("The longest wait for an answer.", valueName: "seconds"))
    var timeout = 5.0

    @Flag(help: "Let the program open network connections.")
    var network = false

    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
    var command: [String]

    func validate() throws {
        // The parser passes on every word from the first that is no option of this command.
        if ["-h", "--help"].contains(command.first) { throw CleanExit.helpRequest(self) }
        if let option = command.first, option.hasPrefix("-") { throw ValidationError("unknown option \(option)") }
        if command.isEmpty {
            throw ValidationError("name a program, such as: glimpsed detector-test python3 ./plates.py")
        }
        // The program runs in a folder of its own, where it would not find the file.
        for word in command.dropFirst() where !word.hasPrefix("/") && !word.hasPrefix(".") && access(word, F_OK) == 0 {
            throw ValidationError("\(word) is in this folder: write ./\(word)")
        }
        if !(0.01...20).contains(timeout) { throw ValidationError("--timeout must be 0.01 to 20, not \(timeout)") }
    }

    func run() throws {
        let words = command.map { $0.hasPrefix("./") || $0.hasPrefix("../") ? FilePath.absolute($0) : $0 }
        let host: ProgramHost
        do throws(DetectorError) {
            host = try ProgramHost(command: words, network: network)
        } catch {
            say("glimpsed: \(error)")
            throw ExitStatus.failed
        }
        let trial = ProgramTrial(host, timeout: .seconds(timeout))
        let formats = format.isEmpty ? Format.allCases : format
        // Every format is tested, also after one that is wrong.
        let results = formats.map { trial.run($0.setting) { mark, text in print("\(mark)  \(text)") } }
        if results.contains(false) { throw ExitStatus.failed }
    }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case gray8, nv12, rgb24

        var setting: ExternalSettings.Format {
            switch self {
            case .gray8: .gray8
            case .nv12: .nv12
            case .rgb24: .rgb24
            }
        }
    }
}
