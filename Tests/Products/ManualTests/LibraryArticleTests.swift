// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// Tests and examples compile and run the code in the libraries' articles.
@Suite struct LibraryArticleTests {
    @Test(arguments: [
        "Sources/Products/Glimpse/Glimpse.docc/EmbedAPipeline.md",
        "Sources/Products/GlimpseClient/GlimpseClient.docc/ReadEvents.md",
        "Sources/Products/GlimpseClient/GlimpseClient.docc/FollowTracks.md",
        "Sources/Products/GlimpseVision/GlimpseVision.docc/GlimpseVision.md", "docs/embedding.md",
        "docs/guides/subscriber.md", "docs/reference/swift.md",
    ])
    func eachLineOfAnArticlesCodeStandsInTheFileItNames(article: String) throws {
        let text = try read(article)
        var source: [Substring] = []
        var blocks = 0
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("<!-- from ") {
                let name = line.dropFirst("<!-- from ".count).dropLast(" -->".count)
                source = try read(String(name)).split(separator: "\n").map { trimmed($0) }
            } else if line.hasPrefix("```") {
                isCode = line == "```swift"
                blocks += isCode ? 1 : 0
            } else if isCode {
                let place = try #require(source.firstIndex(of: trimmed(line)), "\(article): \(line)")
                source.removeSubrange(...place)
            }
        }
        #expect(blocks > 0)
    }

    private func read(_ name: String) throws -> String {
        String(decoding: try TestFile.read("\(Checkout.root)/\(name)"), as: UTF8.self)
    }

    private func trimmed(_ line: Substring) -> Substring { line.drop { $0 == " " } }
}
