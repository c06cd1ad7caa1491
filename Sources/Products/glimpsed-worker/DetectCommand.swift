// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Assembly
import Installation
import Settings

struct DetectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect", abstract: "Detect features in single images and print one line of JSON for each image.",
        usage: "glimpsed detect [--face] [--barcode] [--object] [--scene] [--set <key=value>] ... <file> ...",
        discussion: """
            Examples:
              glimpsed detect photo.jpg | jq '.features[].box'
              ls *.png | glimpsed detect --barcode --set barcode.effort=fast -

            Without a flag, faces and barcodes are detected. The defaults favour accuracy over speed: face.mode = "accurate", \
            face.min_size = 0.05, barcode.effort = "thorough". --set changes them; \
            barcode.effort=hard reads 0.7 % more barcodes and takes six times as long.

            Exit status: 0 success, 1 a file could not be read or a detector is not operational. In this case the other \
            images and detectors are processed, and "error" in the file's line gives the reason.
            """)

    @Flag(help: "Detect faces.") var face = false
    @Flag(help: "Detect barcodes.") var barcode = false
    @Flag(help: "Detect objects.") var object = false
    @Flag(help: "Label the whole picture.") var scene = false
    @OptionGroup var overrides: Overrides

    @Argument(help: "Image files. - reads file names from standard input, one per line.")
    var files: [String]

    func run() throws {
        var examiner = try ImageExaminer(settings: settings(), resources: .ofThisProcess())
        for complaint in examiner.complaints { say("glimpsed: \(complaint)") }
        var isComplete = true
        let output = StandardOutput {}
        func examine(_ file: String) {
            let (line, isLineComplete) = examiner.examine(file)
            output.write(line)
            if !isLineComplete { isComplete = false }
        }
        for file in files {
            guard file == "-" else {
                examine(file)
                continue
            }
            while let name = readLine() {
                if !name.isEmpty { examine(name) }
            }
        }
        if !isComplete { throw ExitStatus.failed }
    }

    /// The default settings with the overrides. Enables only the requested detectors.
    private func settings() throws -> PipelineSettings {
        let noneAsked = !face && !barcode && !object && !scene
        var pairs: [(key: String, value: String)] = []
        if face || noneAsked {
            pairs += [("face.enabled", "true"), ("face.mode", "accurate"), ("face.min_size", "0.05")]
        }
        if barcode || noneAsked { pairs += [("barcode.enabled", "true"), ("barcode.effort", "thorough")] }
        if object { pairs.append(("object.enabled", "true")) }
        if scene { pairs.append(("scene.enabled", "true")) }
        do {
            return try PipelineSettings.parse("", source: "test:black", overrides: pairs + overrides.pairs)
        } catch {
            say(error.description)
            throw ExitStatus.configuration
        }
    }
}
