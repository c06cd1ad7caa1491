import Testing

@testable import Settings

/// Exact messages. In the texts `|` stands for the end of a line.
struct PipelineErrorTests {
    @Test(arguments: topLevelRows)
    func topLevel(text: String, message: String) {
        #expect(pipelineProblems(lines(text) + "\n[source]\nkind = \"test\"\n") == [message])
    }

    @Test(arguments: sourceRows)
    func source(text: String, message: String) {
        #expect(pipelineProblems(lines(text)) == [message])
    }

    @Test(arguments: faceRows)
    func face(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: barcodeRows)
    func barcode(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: objectRows)
    func objectAndScene(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: trackingRows)
    func tracking(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: searchRows)
    func search(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: snapshotRows)
    func snapshot(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    @Test(arguments: zoneRows)
    func zones(text: String, message: String) {
        #expect(problems(below: text) == [message])
    }

    /// The text stands from line 2 on, below a right source.
    private func problems(below text: String) -> [String] {
        pipelineProblems("source.kind = \"test\"\n" + lines(text))
    }

    private func lines(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\n")
    }
}
