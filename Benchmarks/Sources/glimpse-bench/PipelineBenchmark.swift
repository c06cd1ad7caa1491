// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

/// `glimpsed pipeline` beside a bare C++ loop over the same decoder, network and barcode library.
struct PipelineBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipeline", abstract: "CPU, memory and start of a worker beside a bare C++ loop on one clip.",
        discussion: """
            Run it from the project's folder after `make build`:
              swift run -c release --package-path Benchmarks glimpse-bench pipeline
            """)

    @Option(help: "A 1280x720 clip; default: one with a face and three codes, made on the first run (needs ffmpeg).")
    var clip: String?

    @Option(help: "The face model that both use.")
    var model = ".deps/share/glimpsed/models/yunet_n_640_640.onnx"

    @Option(help: "Pairs of runs; the median counts.")
    var runs = 5

    private static let worker = ".build/release/glimpsed-worker"
    private static let baseline = "Benchmarks/baseline/baseline"
    private static let scratch = ".build/benchmarks"

    func run() throws {
        guard access(Self.worker, X_OK) == 0 else {
            throw ValidationError("run this in the project's folder, after: make build")
        }
        _ = try MeasuredProcess("make", ["-s", "-C", "Benchmarks/baseline"])
        let clip = try clip ?? Self.makeClip()
        print(
            "| detectors | frames | bare C++ loop, CPU ms a frame | glimpsed pipeline | ratio | peak MiB, bare | glimpsed |"
        )
        print("|---|---|---|---|---|---|---|")
        let both = ["face", "barcode"]
        for (name, sections, codes) in [
            ("face", ["face"], "none"), ("face and barcode; plain ZXing in the loop", both, "zxing"),
            ("face and barcode; our reader in the loop", both, "czxing"),
        ] {
            print(try row(name, sections, codes, clip))
        }
        print("\nstart to first event, warm cache: \(Int(try start(clip) * 1000)) ms")
    }

    private func row(_ name: String, _ sections: [String], _ codes: String, _ clip: String) throws -> String {
        var (bare, ours): ([MeasuredProcess], [MeasuredProcess]) = ([], [])
        for _ in 0..<runs {
            bare.append(try MeasuredProcess(Self.baseline, [clip, model, "320x192", codes]))
            ours.append(try MeasuredProcess(Self.worker, arguments(sections, clip)))
        }
        let frames = try Self.frames(bare[0])
        let ratio = median(zip(ours, bare).map { $0.cpuSeconds / $1.cpuSeconds })
        func perFrame(_ runs: [MeasuredProcess]) -> String {
            Self.text(median(runs.map(\.cpuSeconds)) / Double(frames) * 1000)
        }
        return "| \(name) | \(frames) | \(perFrame(bare)) | \(perFrame(ours)) | \(Self.text(ratio)) "
            + "| \(Int(median(bare.map(\.peakMiB)))) | \(Int(median(ours.map(\.peakMiB)))) |"
    }

    private func start(_ clip: String) throws -> Double {
        let runs = try (0..<runs).map { _ in
            try MeasuredProcess(Self.worker, arguments(["face", "barcode"], clip)) {
                $0.contains("\"type\":\"detected\"")
            }
        }
        return median(runs.compactMap(\.firstMark))
    }

    private func arguments(_ sections: [String], _ clip: String) -> [String] {
        ["pipeline", "Benchmarks/empty.toml", "--source", clip]
            + sections.flatMap { ["--set", "\($0).enabled=true"] }
    }

    /// The number of frames that the bare loop counted.
    private static func frames(_ run: MeasuredProcess) throws -> Int {
        guard let line = run.output.first, let range = line.firstRange(of: "\"frames\":"),
            let count = Int(line[range.upperBound...].prefix { $0.isNumber })
        else { throw ValidationError("the bare loop printed no count of frames") }
        return count
    }

    private static func makeClip() throws -> String {
        let clip = "\(scratch)/clip.mp4"
        if access(clip, R_OK) == 0 { return clip }
        mkdir(scratch, 0o755)
        let symbols = [
            ("qr_code", "https://glimpse.example/demo"), ("ean_13", "4006381333931"),
            ("data_matrix", "GLIMPSE-DEMO-0042"),
        ]
        var pictures: [String] = []
        for (format, text) in symbols {
            pictures.append("\(scratch)/\(format).pgm")
            _ = try MeasuredProcess(worker, ["symbol", format, text, "--output", pictures[pictures.count - 1]])
        }
        _ = try MeasuredProcess("scripts/make-clip.sh", [clip, ".deps/share/glimpsed/demo/astronaut.png"] + pictures)
        return clip
    }

    private static func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
