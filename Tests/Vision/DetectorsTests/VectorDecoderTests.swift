// SPDX-License-Identifier: Apache-2.0
import Detectors
import GlimpseTesting
import Testing

@Suite struct VectorDecoderTests {
    private func classes(_ values: [Float], areLogits: Bool, limit: Int = 3) throws -> [ClassScores.Entry] {
        let tensor = TensorValues(values, [1, values.count])
        var entries = [ClassScores.Entry(classIndex: 99, probability: 1)]
        try ClassScores(outputs: [tensor.description], areLogits: areLogits)
            .decode([tensor.tensor], limit: limit, into: &entries)
        return entries
    }

    @Test func theBestClassesComeBestFirst() throws {
        let entries = try classes([0.1, 0.4, 0.05, 0.4, 0.05], areLogits: false)
        #expect(entries.map(\.classIndex) == [1, 3, 0])
        #expect(entries.map(\.probability) == [0.4, 0.4, 0.1])
        #expect(try classes([0.5, 0.5], areLogits: false, limit: 0).isEmpty)
        #expect(try classes([0.5, 0.5], areLogits: false, limit: 9).count == 2)
    }

    @Test func logitsBecomeProbabilities() throws {
        // ln 2 and ln 6 beside 0: 1, 2 and 6 of 9. However large they are.
        for shift in [Float(0), 500, -500] {
            let entries = try classes([shift, shift + 0.6931472, shift + 1.7917595], areLogits: true)
            #expect(entries.map(\.classIndex) == [2, 1, 0])
            for (entry, expected) in zip(entries, [6.0 / 9, 2.0 / 9, 1.0 / 9] as [Float]) {
                #expect(abs(entry.probability - expected) < 1e-4)
            }
        }
    }

    @Test func aClassWithoutAFiniteValueIsLeftOut() throws {
        #expect(try classes([.nan, 0.4, .infinity], areLogits: false).map(\.classIndex) == [1])
        #expect(try classes([.nan, 0.4, -.infinity], areLogits: true) == [.init(classIndex: 1, probability: 1)])
        #expect(try classes([.nan, .nan], areLogits: true).isEmpty)
    }

    @Test(arguments: Fuzz.seeds(40))
    func probabilitiesAreValidForAnyValues(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let values = wildValues(.random(in: 1...50, using: &random), &random)
        let entries = try classes(values, areLogits: seed % 2 == 0, limit: 5)
        #expect(entries.allSatisfy { (0...1).contains($0.probability) })
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.probability >= $1.probability })
        #expect(Set(entries.map(\.classIndex)).count == entries.count)
    }

    private func vector(_ values: [Float]) throws -> [Float] {
        let tensor = TensorValues(values, [1, values.count])
        var vector: [Float] = [7]
        try EmbeddingDecoder(outputs: [tensor.description]).decode([tensor.tensor], into: &vector)
        return vector
    }

    @Test func embeddingsHaveLengthOne() throws {
        #expect(try vector([3, 0, 4]) == [0.6, 0, 0.8])
        let huge = try vector([.greatestFiniteMagnitude, .greatestFiniteMagnitude])
        #expect(huge.allSatisfy { abs($0 - 0.70710677) < 1e-6 })
        for values in [[0, 0], [Float.nan, 1], [.infinity, 1]] as [[Float]] {
            #expect(throws: DetectorError("the network's vector has no direction")) { try vector(values) }
        }
    }

    @Test func vectorDecodersRefuseOtherShapes() {
        let two = [TensorDescription(name: "a", shape: [1, 3]), TensorDescription(name: "b", shape: [1, nil])]
        #expect(throws: DetectorError.self) { try ClassScores(outputs: two, areLogits: true) }
        #expect(throws: DetectorError.self) { try ClassScores(outputs: [two[1]], areLogits: true) }
        #expect(throws: DetectorError.self) { try EmbeddingDecoder(outputs: two) }
    }
}
