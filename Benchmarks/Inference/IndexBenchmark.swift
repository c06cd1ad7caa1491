// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import SearchEngines

/// Time and memory of an exact search among many reference pictures.
struct IndexBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "What a search of an index of pictures costs, and the first look at its file.",
        discussion: "Vectors are random and of length 1: what is in them does not matter to a search that looks at all."
    )

    @Option(help: "Reference pictures.") var items = 100_000
    @Option(help: "Of the model's output; squeezenet_features has 512.") var dimensions = 512
    @Option(help: "Vectors for each picture: 4, or 1 with --upright.") var turns = 4
    @Option(help: "Searches.") var queries = 50
    @Option(help: "Where the index is written, and removed again.") var file = "/tmp/glimpse-bench.index"

    func run() throws {
        defer { unlink(file) }
        try write()
        let start = Self.processorTime()
        let index = try PictureIndexFile.read(file)
        let opened = Self.processorTime() - start
        var random = RandomVectors(dimensions: dimensions, seed: 2)
        var times: [Double] = []
        for _ in 0..<queries {
            let query = random.next()
            let start = Self.processorTime()
            guard index.nearest(to: query, limit: 5).count == min(5, items) else { throw ExitCode.failure }
            times.append(Self.processorTime() - start)
        }
        times.sort()
        print("| items | vectors | file, MiB | first look, s | search, ms: median | longest | mapped, MiB |")
        print("|---|---|---|---|---|---|---|")
        let bytes = items * turns * dimensions * MemoryLayout<Float>.stride
        print(
            "| \(items) | \(items * turns) | \(bytes >> 20) | \(Self.rounded(opened)) | "
                + "\(Self.rounded(times[times.count / 2] * 1000)) | \(Self.rounded((times.last ?? 0) * 1000)) | "
                + "\(Self.mapped >> 10) |")
    }

    private func write() throws {
        let names = (0..<items).map { PictureIndex.Item(id: "product-\($0).jpg", title: "product \($0)") }
        let header = PictureIndex.Header(
            model: "random", modelSHA256: "", folder: "/pictures", dimensions: dimensions, turns: turns, items: names)
        var random = RandomVectors(dimensions: dimensions, seed: 1)
        var vectors: [Float] = []
        vectors.reserveCapacity(items * turns * dimensions)
        for _ in 0..<items * turns { vectors += random.next() }
        try PictureIndexFile.write(PictureIndex(header, vectors: vectors), to: file)
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Pages of files in memory, in KiB: proc_pid_status(5).
    private static var mapped: Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            if text.hasPrefix("RssFile:") { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }
}

/// Vectors of length 1, the same for a seed.
private struct RandomVectors {
    let dimensions: Int
    private var state: UInt64

    init(dimensions: Int, seed: UInt64) {
        self.dimensions = dimensions
        state = seed
    }

    mutating func next() -> [Float] {
        let values = (0..<dimensions).map { _ in uniform() }
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return values.map { $0 / length }
    }

    /// -1..<1, by Knuth's linear congruential generator (MMIX).
    private mutating func uniform() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / Float(1 << 23) - 1
    }
}
