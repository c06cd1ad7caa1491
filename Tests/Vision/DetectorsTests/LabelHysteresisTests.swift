// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import Detectors

struct LabelHysteresisTests {
    private func machine(top: Int = 3, smoothing: Double = 0) -> LabelHysteresis {
        LabelHysteresis(top: top, enter: 0.4, leave: 0.2, smoothing: smoothing, longestStep: 5)
    }

    /// The labels that hold after each picture, pictures half a second apart.
    private func labels(_ pictures: [[Int: Float]], _ machine: LabelHysteresis) -> [[Int]] {
        var machine = machine
        return pictures.enumerated().map { index, picture in
            machine.update(entries(picture), at: Double(index) / 2).map(\.classIndex)
        }
    }

    private func entries(_ picture: [Int: Float]) -> [ClassScores.Entry] {
        picture.map { ClassScores.Entry(classIndex: $0.key, probability: $0.value) }
            .sorted { ($1.probability, $0.classIndex) < ($0.probability, $1.classIndex) }
    }

    @Test func aLabelEntersAboveOneThresholdAndLeavesBelowAnother() {
        let shown = labels([[7: 0.39], [7: 0.4], [7: 0.25], [7: 0.2], [7: 0.19], [7: 0.39]], machine())
        #expect(shown == [[], [7], [7], [7], [], []])
    }

    /// A classifier that wavers between two classes. Without hysteresis each picture would begin one label and end
    /// another.
    @Test func aWaveringLabelDoesNotFlicker() {
        let wavering: [[Int: Float]] = (0..<20).map { $0 % 2 == 0 ? [1: 0.5, 2: 0.3] : [1: 0.3, 2: 0.5] }
        #expect(labels(wavering, machine()).dropFirst().allSatisfy { Set($0) == [1, 2] })
        #expect(labels(wavering, machine(top: 1)).allSatisfy { $0 == [1] })
        #expect(labels(wavering, machine(top: 1, smoothing: 1)).allSatisfy { $0 == [1] })
    }

    @Test func aClearlyBetterLabelReplacesAnother() {
        #expect(labels([[1: 0.5], [1: 0.45, 2: 0.55], [1: 0.3, 2: 0.7]], machine(top: 1)) == [[1], [1], [2]])
    }

    /// One odd picture in a quiet film neither begins nor ends anything.
    @Test func smoothingOfLabelsForgivesOnePicture() {
        let quiet: [Int: Float] = [3: 0.8]
        let film = [quiet, quiet, [4: 0.6], quiet, quiet]
        #expect(labels(film, machine(smoothing: 1)).allSatisfy { $0 == [3] })
        #expect(labels(film, machine()) == [[3], [3], [4], [3], [3]])
    }

    /// Smoothed by 1 - exp(-t / time constant), however many pictures there are in t.
    @Test func smoothingOfLabelsDependsOnTimeAndNotOnPictures() throws {
        var (slow, fast) = (machine(smoothing: 2), machine(smoothing: 2))
        _ = slow.update(entries([1: 1]), at: 0)
        _ = fast.update(entries([1: 1]), at: 0)
        for step in 1...20 { _ = fast.update(entries([1: 0.5]), at: Double(step) / 10 * 0.999999) }
        let one = try #require(slow.update(entries([1: 0.5]), at: 2).first?.probability)
        let many = try #require(fast.update(entries([1: 0.5]), at: 2).first?.probability)
        #expect(abs(one - many) < 1e-4)
        #expect(abs(one - (0.5 + 0.5 * 0.367_879)) < 1e-4)
    }

    /// A jump, a step back and pictures without a time reset the smoothing. Single images never influence each other.
    @Test(arguments: [0, -1, 5.1])
    func aJumpOfTimeResetsLabelHysteresis(step: Double) {
        var machine = machine(smoothing: 1)
        _ = machine.update(entries([1: 0.9]), at: 10)
        #expect(machine.update(entries([2: 0.5, 1: 0.3]), at: 10 + step).map(\.classIndex) == [2])
    }

    @Test(arguments: Fuzz.seeds(10))
    func theRulesOfHysteresisHoldForAnyLabels(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let top = Int.random(in: 1...5, using: &random)
        let enter = Float.random(in: 0...1, using: &random)
        let leave = Float.random(in: 0...1, using: &random) * enter
        var machine = LabelHysteresis(
            top: top, enter: enter, leave: leave, smoothing: Double.random(in: 0...3, using: &random), longestStep: 5)
        var held: Set<Int> = []
        var time = 0.0
        for _ in 0..<300 {
            let step = Double.random(in: -0.5...6, using: &random)
            if step <= 0 || step > 5 { held = [] }
            time += step
            let odd: [Float] = [.nan, .infinity, -.infinity]
            let picture = (0..<8).map { index in
                let isOdd = Int.random(in: 0..<20, using: &random) == 0
                return ClassScores.Entry(
                    classIndex: index,
                    probability: isOdd ? odd[index % 3] : Float.random(in: 0...1, using: &random))
            }
            let shown = machine.update(picture, at: time)
            #expect(shown.count <= top && Set(shown.map(\.classIndex)).count == shown.count)
            for entry in shown {
                #expect(entry.probability >= (held.contains(entry.classIndex) ? leave : enter))
                #expect((0...1).contains(entry.probability))
            }
            #expect(zip(shown, shown.dropFirst()).allSatisfy { $0.probability >= $1.probability })
            held = Set(shown.map(\.classIndex))
        }
    }
}
