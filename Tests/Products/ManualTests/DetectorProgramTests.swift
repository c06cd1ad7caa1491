// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// The tests of `detectors`. Those of the text reader skip where Tesseract is not installed.
@Suite struct DetectorProgramTests {
    @Test(arguments: ["test_protocol", "test_reading", "test_text"])
    func theDetectorProgramsPassTheirTests(module: String) {
        let result = Program.run("python3", ["\(Checkout.root)/detectors/tests/run.py", module], within: .seconds(900))
        #expect(result.status == 0, "\(result)")
    }
}
