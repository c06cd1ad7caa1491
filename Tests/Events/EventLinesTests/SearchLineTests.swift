// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import Foundation
import GlimpseTesting
import Observations
import Search
import Testing

@Suite struct SearchLineTests {
    private static let frame = SampleEvents.trackEvent(.update, id: 1, frame: 2).frame

    private func status(_ state: SearchState, _ kind: FeatureKind = .object) -> SearchStatus {
        var status = SearchStatus(state: state, frame: Self.frame)
        status.track = TrackID(7)
        status.detection = SampleEvents.trackEvent(.update, kind, id: 7, frame: 2).track.detection
        return status
    }

    private func line(
        _ status: SearchStatus, _ kind: FeatureKind = .object, barcodes: BarcodeReporting = BarcodeReporting()
    ) -> [UInt8] {
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "shelf"), barcodes: barcodes)
        return encoder.encode(.search(SearchEvent(detector: kind.rawValue, kind: kind, status: status))).line
    }

    private func text(_ status: SearchStatus, _ kind: FeatureKind = .object) -> String {
        String(decoding: line(status, kind), as: UTF8.self)
    }

    private let beginning =
        #"{"v":1,"type":"search","pipeline":"shelf","time":"1970-01-01T00:00:00.066666666Z","clock":"file","frame":"#
        + #"{"epoch":1,"seq":2,"pts_ns":66666666,"width":1280,"height":720,"rotation":0,"mirrored":false},"#
    private let position =
        #""track":{"id":"7"},"box":{"x":102.5,"y":50,"w":80,"h":90.25},"#
        + #""nbox":{"x":0.080078125,"y":0.06944445,"w":0.0625,"h":0.12534723}"#

    @Test func eachStateHasItsSearchLine() {
        var detecting = SearchStatus(state: .detecting, frame: Self.frame)
        detecting.hint = .pointCamera
        let hint = #""hint":{"code":"point_camera","text":"Point your camera at an object"}"#
        #expect(
            text(detecting) == beginning + #""detector":"object","kind":"object","state":"detecting",\#(hint)}"# + "\n")

        var confirming = status(.confirming)
        (confirming.progress, confirming.hint) = (0.4, .blurred)
        confirming.quality = PictureQuality(brightness: 0.5, contrast: 0.25, sharpness: 0.02)
        #expect(
            text(confirming) == beginning
                + #""detector":"object","kind":"object","state":"confirming","progress":0.4,\#(position),"#
                + #""hint":{"code":"blurred","text":"The picture is blurred"},"#
                + #""quality":{"brightness":0.5,"contrast":0.25,"sharpness":0.02}}"# + "\n")

        var searched = status(.searched)
        (searched.query, searched.crop) = ("1.1", "/state/c.jpg")
        searched.outcome = .results([
            SearchResult(id: "a", title: "A \"b\"", confidence: 0.75, picture: "/p.jpg", payload: "[1,{}]"),
            SearchResult(id: "b", title: "B", confidence: 0.5),
        ])
        #expect(
            text(searched) == beginning
                + #""detector":"object","kind":"object","state":"searched","search":"1.1","crop":"/state/c.jpg","#
                + position + #","object":{"labels":[{"text":"cup \"1\"","index":41,"confidence":0.5}]},"#
                + #""outcome":"results","results":[{"id":"a","title":"A \"b\"","confidence":0.75,"picture":"/p.jpg","#
                + #""payload":[1,{}]},{"id":"b","title":"B","confidence":0.5}],"#
                + #""hint":{"code":"found","text":"This is what was found"}}"# + "\n")

        var failed = status(.searchFailed)
        (failed.query, failed.hint, failed.help) = ("1.2", .network, "tel:+15550100")
        failed.outcome = .failed(SearchFailure(.network, retryable: true, message: "no route to host"))
        #expect(
            text(failed).contains(
                #""outcome":"failed","reason":"network","retryable":true,"error":"no route to host","hint":{"code":"network","#
                    + #""text":"The search cannot be reached","help":"tel:+15550100"}"#))
    }

    @Test func searchLinesFollowTheSchema() throws {
        var lines: [[UInt8]] = []
        let outcomes: [SearchOutcome] = [
            .value, .noResults, .lowConfidence, .results([SearchResult(id: "a", title: "", confidence: .infinity)]),
            .failed(SearchFailure(.response, retryable: false)),
        ]
        for state in SearchState.allCases {
            for kind in [FeatureKind.object, .barcode] {
                lines.append(line(SearchStatus(state: state, frame: Self.frame), kind))
                for outcome in outcomes {
                    var whole = status(state, kind)
                    (whole.query, whole.outcome, whole.progress) = ("1.1", outcome, 1)
                    lines.append(line(whole, kind))
                }
            }
        }
        #expect(try EventSchema.violations(in: lines) == [])
        #expect(violation(in: lines) == nil)
        let wrong = text(status(.confirming)).replacing(#""state":"confirming""#, with: #""state":5"#)
        #expect(try !EventSchema.violations(in: [Array(wrong.utf8)]).isEmpty)
    }

    /// These lines redact the values that other lines redact.
    @Test func searchLinesAreRedacted() throws {
        var searched = status(.searched, .barcode)
        (searched.query, searched.outcome) = ("1.1", .value)
        let plain = String(decoding: line(searched, .barcode), as: UTF8.self)
        #expect(plain.contains("4006381333931"))
        let reporting = BarcodeReporting(redactions: [BarcodeRedaction(.product)])
        let redacted = String(decoding: line(searched, .barcode, barcodes: reporting), as: UTF8.self)
        #expect(!redacted.contains("4006381333931") && redacted.contains(#""redacted":["#))
    }

    /// The limit holds for an answer of any length.
    @Test func noSearchLineIsTooLong() throws {
        func result(_ text: String) -> SearchResult {
            SearchResult(
                id: text, title: text, confidence: 1, picture: String(text.prefix(1024)),
                payload: "\"" + String(repeating: "x", count: 2046) + "\"")
        }
        var searched = status(.searched, .barcode)
        searched.query = "1.1"
        let long = Barcode(
            format: .qrCode, raw: String(repeating: "\u{1}", count: 4000), bytes: Array(repeating: 1, count: 4000),
            corners: Quadrilateral(
                topLeft: Point(x: 1, y: 2), topRight: Point(x: 3, y: 2), bottomRight: Point(x: 3, y: 4),
                bottomLeft: Point(x: 1, y: 4)))
        searched.detection?.content = .barcode(long)
        searched.outcome = .results((0..<20).map { _ in result(String(repeating: "\u{1}", count: 5000)) })
        let line = line(searched, .barcode)
        #expect(line.count < EventEncoder.maximumLineBytes)
        #expect(String(decoding: line, as: UTF8.self).contains(#""omitted":"#))
        #expect(try EventSchema.violations(in: [line]) == [])
    }

    /// Every state, hint, outcome and reason is on the page.
    @Test func everyNameOfSearchLinesIsOnThePageOfSearchLines() throws {
        let page = try String(contentsOfFile: "\(Checkout.root)/docs/reference/search.md", encoding: .utf8)
        let outcomes: [SearchOutcome] = [
            .results([]), .value, .noResults, .lowConfidence, .failed(SearchFailure(.engine, retryable: true)),
        ]
        let names =
            SearchState.allCases.map(\.rawValue) + SearchHint.allCases.map(\.rawValue) + outcomes.map(\.name)
            + SearchFailure.Reason.allCases.map(\.rawValue)
        for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
        for hint in SearchHint.allCases { #expect(page.contains(hint.text), "\(hint)") }
    }
}
