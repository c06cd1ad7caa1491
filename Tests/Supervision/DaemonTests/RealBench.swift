// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// The built daemon with the built `glimpsed-worker` on two symbols that stay in view. The bench needs GStreamer and
/// ZXing, but no model and no camera.
struct RealBench {
    let bench = DaemonBench()
    private let launch: String

    init() {
        let scope = bench.scope
        let pictures = ["to the left", "to the right"].map { text in
            let path = scope.path("\(text.count).pgm")
            let drawing = RunningProgram(
                Program.built("glimpsed-worker"), ["symbol", "qr_code", text, "--output", path])
            #expect(drawing.finish().status == 0, "\(drawing.errors)")
            return (try? TestFile.read(path)) ?? []
        }
        scope.write("symbols.pgm", bytes: Self.sideBySide(pictures[0], pictures[1]))
        launch =
            "filesrc location=\(scope.path("symbols.pgm")) ! pnmdec ! imagefreeze is-live=true "
            + "! video/x-raw,framerate=15/1"
    }

    /// Writes a pipeline's file.
    ///
    /// - Parameters:
    ///   - barcode: lines of its table.
    ///   - source: more lines of its table.
    func write(_ name: String, barcode: String = "", source: String = "") {
        bench.scope.write(
            "pipelines/\(name).toml",
            "[source]\nkind = \"launch\"\nlaunch = \"\(launch)\"\n\(source)\n[barcode]\n\(barcode)")
    }

    func run(workers: String = "", environment: [String: String] = [:]) -> RunningProgram {
        bench.configure(workers: workers)
        return bench.run(worker: Program.built("glimpsed-worker"), environment: environment)
    }

    /// Joins two binary PGM pictures of equal height.
    private static func sideBySide(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        let (left, right) = (picture(left), picture(right))
        guard left.height == right.height, left.height > 0 else { return [] }
        var bytes = Array("P5\n\(left.width + right.width) \(left.height)\n255\n".utf8)
        for row in 0..<left.height {
            bytes += left.pixels.dropFirst(row * left.width).prefix(left.width)
            bytes += right.pixels.dropFirst(row * right.width).prefix(right.width)
        }
        return bytes
    }

    private static func picture(_ file: [UInt8]) -> (width: Int, height: Int, pixels: ArraySlice<UInt8>) {
        let fields = file.split(maxSplits: 4) { $0 == 0x20 || $0 == 0x0A }
        guard fields.count == 5, let width = Int(String(decoding: fields[1], as: UTF8.self)),
            let height = Int(String(decoding: fields[2], as: UTF8.self))
        else { return (0, 0, []) }
        return (width, height, file.suffix(width * height))
    }
}
