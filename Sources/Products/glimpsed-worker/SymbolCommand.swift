// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FoundationEssentials
import Observations
import VisionDetectors

/// Draws a barcode symbol as a picture. Benchmarks and tests put these pictures into their clips.
struct SymbolCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "symbol", abstract: "Draw a barcode as a PGM picture.", shouldDisplay: false)

    @Argument(help: "The symbology, as named in events.") var format: String
    @Argument(help: "The text to encode.") var text: String
    @Option(help: "Pixels per module.") var scale = 6
    @Option(help: "The picture file to write.") var output: String

    func run() throws {
        guard let format = Barcode.Format(rawValue: format) else {
            throw ValidationError(
                "unknown symbology \"\(format)\"; choose one of: \(Barcode.Format.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        let drawn: SymbolWriter.Modules
        do {
            drawn = try SymbolWriter.draw(text, as: format, quietZone: 4)
        } catch {
            say("glimpsed: \(error.description)")
            throw ExitStatus.failed
        }
        var picture = Data("P5\n\(drawn.columns * scale) \(drawn.rows * scale)\n255\n".utf8)
        for row in 0..<drawn.rows {
            let modules = drawn.modules[(row * drawn.columns)..<((row + 1) * drawn.columns)]
            let line = modules.flatMap { [UInt8](repeating: $0, count: scale) }
            for _ in 0..<scale { picture.append(contentsOf: line) }
        }
        try picture.write(to: URL(filePath: output))
    }
}
