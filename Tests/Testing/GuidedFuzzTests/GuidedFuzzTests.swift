// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// Replays the inputs that the coverage-guided fuzzer has kept.
@Suite struct GuidedFuzzTests {
    @Test(arguments: FuzzTarget.all) func keptInputsOfTheFuzzerHoldTheirProperties(_ target: FuzzTarget) throws {
        try FuzzCorpus(target.folder).forEach(0..<0) { try target.check($0) }
    }
}
