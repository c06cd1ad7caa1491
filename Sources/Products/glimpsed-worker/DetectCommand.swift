import ArgumentParser
import Assembly
import Installation
import Settings

struct DetectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect", abstract: "Look at single images; one line of JSON for each.",
        usage: "glimpsed detect [--face] [--barcode] [--object] [--scene] [--set <key=value>] ... <file> ...",
        discussion: """
            Examples:
              glimpsed detect photo.jpg | jq '.features[].box'
              ls *.png | glimpsed detect --barcode --set barcode.effort=fast -

            Without a flag it looks for faces and barcodes. It takes its time: face.mode is accurate, face.min_size 0.05, barcode.effort
            hard, unless --set says otherwise.

            Exit status: 0, or 1 when a file could not be read or a detector is not operational; the rest is done anyway,
            and "error" in the file's line says why.
            """)

    @Flag(help: "Look for faces.") var face = false
    @Flag(help: "Look for barcodes.") var barcode = false
    @Flag(help: "Look for objects.") var object = false
    @Flag(help: "Label the picture as a whole.") var scene = false
    @OptionGroup var overrides: Overrides

    @Argument(help: "Image files; - reads names from standard input, one a line.")
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
        if barcode || noneAsked { pairs += [("barcode.enabled", "true"), ("barcode.effort", "hard")] }
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
