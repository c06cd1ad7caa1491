// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Settings

/// Exact messages. In the texts `|` stands for the end of a line.
struct PipelineErrorTests {
    @Test(arguments: topLevelRows)
    func errorsOfTheTopLevelHaveExactMessages(text: String, message: String) {
        #expect(pipelineProblems(lines(text) + "\n[source]\nkind = \"test\"\n") == [message])
    }

    @Test(arguments: sourceRows)
    func errorsOfSourcesHaveExactMessages(text: String, message: String) {
        #expect(pipelineProblems(lines(text)) == [message])
    }

    @Test(arguments: faceRows)
    func errorsOfFacesHaveExactMessages(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: barcodeRows)
    func errorsOfBarcodesHaveExactMessages(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: objectRows)
    func errorsOfObjectsAndScenesHaveExactMessages(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: trackingRows)
    func errorsOfTrackingHaveExactMessages(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: searchRows)
    func errorsOfSearchesHaveExactMessages(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: snapshotRows)
    func errorsOfSnapshotsHaveExactMessages(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: privacyRows)
    func errorsOfMasksAndPrivacyHaveExactMessages(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: zoneRows)
    func errorsOfZonesHaveExactMessages(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    /// The text begins in line 2, below a valid source.
    private func problems(below text: String) -> [String] {
        pipelineProblems("source.kind = \"test\"\n" + lines(text))
    }

    private func lines(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\n")
    }
}
