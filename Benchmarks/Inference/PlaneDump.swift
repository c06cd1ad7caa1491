// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Frames
import Glibc

/// Writes the planes that a network receives, so that a script can give another program the same planes.
struct PlaneDump: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "planes", abstract: "Write the planes of pictures as a pipeline decodes them.",
        discussion: """
            To standard output, for each picture: a line "FORMAT WIDTH HEIGHT MATRIX RANGE", then the planes, row by row, without padding: \
            luma, and for nv12 and i420 chroma at half size. An odd last column or row is left out, as a detector leaves it out.
            """)

    @Argument(help: "Pictures.")
    var files: [String]

    func run() throws {
        for file in files {
            let view = FrameView(try Picture.frame(file))
            let (format, colour) = (view.frame.format, view.frame.colour)
            var bytes = Array("\(format) \(view.width) \(view.height) \(colour.matrix) \(colour.range)\n".utf8)
            view.frame.withPlanes { _ in
                for (index, plane) in view.planes.enumerated() {
                    let columns = index == 0 || format == .nv12 ? view.width : view.width / 2
                    for row in 0..<(index == 0 ? view.height : view.height / 2) {
                        bytes += UnsafeBufferPointer(start: plane.base + row * plane.stride, count: columns)
                    }
                }
            }
            try write(bytes)
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard written > 0 else { throw ExitCode.failure }
            rest = rest.dropFirst(written)
        }
    }
}
