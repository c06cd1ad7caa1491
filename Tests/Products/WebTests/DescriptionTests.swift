// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The interface's OpenAPI description, which the page serves as `/openapi.json`.
@Suite struct DescriptionTests {
    private struct Description: Decodable {
        struct Operation: Decodable {
            struct Answer: Decodable {}
            var responses: [String: Answer]
        }
        var paths: [String: [String: Operation]]
    }

    @Test func theDescriptionAndTheDocumentNameTheSamePaths() throws {
        let text = try TestFile.read("\(Checkout.root)/web/openapi.json")
        let description = try JSONDecoder().decode(Description.self, from: Data(text))
        let page = String(decoding: try TestFile.read("\(Checkout.root)/docs/reference/web.md"), as: UTF8.self)
        let named = page.matches(of: /\| `(GET|POST) (\/[^` ]*)` \|/).map { match in
            let path = match.output.2.replacing("NAME", with: "{name}").replacing("COMMAND", with: "{command}")
                .replacing("RUN_ID:SEQ", with: "{id}").replacing("CLIP", with: "{clip}")
            return "\(match.output.1.lowercased()) \(path)"
        }
        let described = description.paths.flatMap { path, operations in operations.keys.map { "\($0) \(path)" } }
        #expect(Set(named) == Set(described))
        for (path, operations) in description.paths {
            for operation in operations.values {
                #expect(operation.responses.keys.contains("200") && operation.responses.keys.contains("421"), "\(path)")
            }
        }
    }
}
