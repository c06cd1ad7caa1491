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

    @Test(arguments: detectorRows)
    func detectors(text: String, message: String) {
        #expect(pipelineProblems("source.kind = \"test\"\n" + lines(text)) == [message])
    }

    private func lines(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\n")
    }
}
