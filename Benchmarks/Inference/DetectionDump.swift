// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Frames

/// Boxes of pictures, for a script that scores them.
struct DetectionDump: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect", abstract: "Print boxes: file, class, score, x, y, width, height in pixels.")

    @OptionGroup var arguments: ModelArguments

    @Option(help: "Boxes below this score are left out.")
    var score: Float = 0.01

    @Argument(help: "A model of the catalogue.")
    var model: String

    @Argument(help: "Pictures.")
    var files: [String]

    func run() throws {
        let entry = try arguments.entry(model)
        let network = try NetworkUnderTest(entry, folder: arguments.models, width: 0, height: 0, score: score)
        for file in files {
            let frame = try Picture.frame(file)
            for object in try network.detect(FrameView(frame)) {
                let box = object.box
                print(file, object.classIndex, object.score, box.x, box.y, box.width, box.height)
            }
        }
    }
}
