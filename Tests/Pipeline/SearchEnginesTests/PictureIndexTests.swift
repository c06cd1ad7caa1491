// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import SearchEngines

/// The index is exact, and a damaged file is refused.
@Suite struct PictureIndexTests {
    private let scope = TestScope()
    private var path: String { scope.path("a.index") }

    private func vector(_ dimensions: Int, _ random: inout SeededRandom) -> [Float] {
        let values = (0..<dimensions).map { _ in Float.random(in: -1...1, using: &random) }
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return values.map { $0 / length }
    }

    private func index(_ count: Int, dimensions: Int = 37, turns: Int = 1, seed: UInt64 = 1) -> PictureIndex {
        var random = SeededRandom(seed: seed)
        let items = (0..<count).map { PictureIndex.Item(id: "p\($0).jpg", title: "größe \($0)") }
        let header = PictureIndex.Header(
            model: "m", modelSHA256: "ab", folder: "/pictures", dimensions: dimensions, turns: turns, items: items)
        return PictureIndex(header, vectors: (0..<count * turns).flatMap { _ in vector(dimensions, &random) })
    }

    /// Compares the result with a full sort, for every remainder of the register width.
    @Test(arguments: [1, 15, 16, 17, 37, 64], [1, 4]) func aPictureIndexFindsTheNearestVectors(
        dimensions: Int, turns: Int
    ) {
        let index = index(200, dimensions: dimensions, turns: turns)
        var random = SeededRandom(seed: 9)
        for _ in 0..<5 {
            let query = vector(dimensions, &random)
            let all = (0..<200).map { item -> PictureIndex.Match in
                let similarities = (0..<turns).map { turn -> Float in
                    let start = (item * turns + turn) * dimensions
                    return zip(query, index.vectors[start..<start + dimensions]).reduce(0) { $0 + $1.0 * $1.1 }
                }
                return .init(item: item, similarity: similarities.max() ?? 0)
            }.sorted { ($1.similarity, $0.item) < ($0.similarity, $1.item) }
            let found = index.nearest(to: query, limit: 7)
            #expect(found.map(\.item) == all.prefix(7).map(\.item))
            #expect(zip(found, all).allSatisfy { abs($0.similarity - $1.similarity) < 1e-5 })
        }
        #expect(index.nearest(to: vector(dimensions, &random), limit: 1000).count == 200)
    }

    @Test func aWrittenPictureIndexReadsBackEqual() throws {
        let written = index(5, turns: 4)
        try PictureIndexFile.write(written, to: path)
        let read = try PictureIndexFile.read(path)
        #expect(read.header == written.header && Array(read.vectors) == Array(written.vectors))
        #expect(throws: PictureIndexError.self) { try PictureIndexFile.read(scope.path("none")) }
        #expect(throws: PictureIndexError.self) { try PictureIndexFile.read(scope.write("empty", "")) }
        #expect(throws: PictureIndexError.self) { try PictureIndexFile.read(scope.folder) }
    }

    /// A change of any byte, or a cut at the end, is noticed.
    @Test func aDamagedPictureIndexIsRefused() throws {
        try PictureIndexFile.write(index(3, dimensions: 4), to: path)
        let whole = try TestFile.read(path)
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 0x40
            try TestFile.write(bytes, to: path)
            #expect(throws: PictureIndexError.self, "byte \(place)") { try PictureIndexFile.read(path) }
        }
        for count in 0..<whole.count {
            try TestFile.write(whole.prefix(count), to: path)
            #expect(throws: PictureIndexError.self, "\(count) bytes") { try PictureIndexFile.read(path) }
        }
        try TestFile.write(whole + [0], to: path)
        #expect(throws: PictureIndexError.self) { try PictureIndexFile.read(path) }
    }

    /// Made-up headers with a right checksum: nothing traps, and the values that are read are consistent.
    @Test(arguments: 0..<40) func anyHeaderOfAPictureIndexIsReadOrRefused(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try PictureIndexFile.write(index(3, dimensions: 4), to: path)
        let whole = try TestFile.read(path)
        for _ in 0..<50 {
            var bytes = Array(whole.dropFirst(48))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = Bool.random(using: &random) ? .max : UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            try TestFile.write(PictureIndexFile.sealed(bytes), to: path)
            guard let index = try? PictureIndexFile.read(path) else { continue }
            let (items, turns, dimensions) = (index.header.items.count, index.header.turns, index.header.dimensions)
            #expect(index.vectors.count == items * turns * dimensions)
            _ = index.nearest(to: [Float](repeating: 0.5, count: dimensions), limit: 20)
        }
    }
}
