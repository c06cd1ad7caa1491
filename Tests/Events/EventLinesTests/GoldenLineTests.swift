// SPDX-License-Identifier: Apache-2.0
import EventLines
import GlimpseTesting
import Observations
import Testing

/// The exact lines: fields, order, numbers. A change here is a change of the stream.
@Suite struct GoldenLineTests {
    private func expect(
        _ parts: [String], tags: [String: String] = [:], _ make: (inout SampleEvents) -> EncodedEvent,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var events = SampleEvents(pipeline: "door", tags: tags)
        let line = String(decoding: make(&events).line, as: UTF8.self)
        #expect(line == parts.joined() + "\n", sourceLocation: sourceLocation)
    }

    /// The part that the lines of all tracks share after their type.
    private func envelope(_ detector: String, missing: Int = 0) -> [String] {
        [
            #""pipeline":"door","time":"1970-01-01T00:00:00.066666666Z","clock":"file","#,
            #""frame":{"epoch":1,"seq":2,"pts_ns":66666666,"width":1280,"height":720,"rotation":0,"mirrored":false},"#,
            #""detector":"\#(detector)","kind":"\#(detector)","#,
            #""track":{"id":"7","age_frames":3,"hits":2,"missing_frames":\#(missing),"#,
            #""first_seen":"1970-01-01T00:00:00.000000000Z","last_seen":"1970-01-01T00:00:00.066666666Z","focus":true},"#,
        ]
    }

    @Test func goldenLinesOfDetected() {
        expect(
            [#"{"v":1,"type":"detected","#] + envelope("face")
                + [
                    #""box":{"x":102.5,"y":50,"w":80,"h":90.25},"#,
                    #""nbox":{"x":0.080078125,"y":0.06944445,"w":0.0625,"h":0.12534723},"#,
                    #""velocity":{"x":3,"y":-1.5},"confidence":0.875,"count":2,"#,
                    #""face":{"landmarks":{"left_eye":{"x":120,"y":70}},"euler":{"z":4.5}}}"#,
                ]
        ) { $0.track(.detected, .face, id: 7, frame: 2) }
    }

    @Test func goldenLinesOfUpdate() {
        expect(
            [#"{"v":1,"type":"update","#] + envelope("barcode")
                + [
                    #""box":{"x":102.5,"y":50,"w":80,"h":90.25},"#,
                    #""nbox":{"x":0.080078125,"y":0.06944445,"w":0.0625,"h":0.12534723},"#,
                    #""corners":[{"x":1,"y":2},{"x":3,"y":2},{"x":3,"y":4},{"x":1,"y":4}],"#,
                    #""velocity":{"x":3,"y":-1.5},"confidence":0.875,"count":2,"#,
                    #""barcode":{"format":"ean_13","raw":"4006381333931","raw_base64":"NDAwNjM4MTMzMzkzMQ==","#,
                    #""add_on":"02","display":"4006381333931","value_format":"product","orientation":0,"reads":2}}"#,
                ]
        ) { $0.track(.update, .barcode, id: 7, frame: 2) }
    }

    @Test func goldenLineOfACrossing() {
        var events = SampleEvents()
        var totals = LineTotals()
        _ = totals.count(events.crossing(.out))
        let line = String(decoding: totals.count(events.crossing(.in, id: 7, frame: 2)).line, as: UTF8.self)
        #expect(
            line
                == [
                    #"{"v":1,"type":"line","pipeline":"door","time":"1970-01-01T00:00:00.066666666Z","clock":"file","#,
                    #""frame":{"epoch":1,"seq":2,"pts_ns":66666666,"width":1280,"height":720,"rotation":0,"mirrored":false},"#,
                    #""detector":"face","kind":"face","track":{"id":"7"},"line":"door","direction":"in","in":1,"out":1}"#,
                    "\n",
                ].joined())
    }

    @Test func goldenLineOfAClip() {
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door", tags: [:]))
        var clip = ClipEvent(
            file: "/c/a.mp4", events: "/c/a.jsonl", from: .epoch, to: Timestamp(nanoseconds: 1_500_000_000),
            presentationTime: 66_666_666, frames: 23, bytes: 4567, reasons: ["face", "zone:desk"])
        clip.isRecovered = true
        #expect(
            String(decoding: encoder.encode(.clip(clip)).line, as: UTF8.self)
                == [
                    #"{"v":1,"type":"clip","pipeline":"door","time":"1970-01-01T00:00:01.500000000Z","clock":"arrival","#,
                    #""file":"/c/a.mp4","events":"/c/a.jsonl","from":"1970-01-01T00:00:00.000000000Z","#,
                    #""to":"1970-01-01T00:00:01.500000000Z","pts_ns":66666666,"frames":23,"bytes":4567,"reasons":["face","zone:desk"],"#,
                    #""recovered":true}"#, "\n",
                ].joined())
    }

    @Test func goldenLinesOfZones() {
        for (index, change) in [#""entered""#, #""dwelling","dwell_ms":2500"#, #""left","dwell_ms":3000"#].enumerated()
        {
            expect([
                #"{"v":1,"type":"zone","pipeline":"door","time":"1970-01-01T00:00:00.066666666Z","clock":"file","#,
                #""frame":{"epoch":1,"seq":2,"pts_ns":66666666,"width":1280,"height":720,"rotation":0,"mirrored":false},"#,
                #""detector":"face","kind":"face","track":{"id":"7"},"zone":"desk","state":\#(change)}"#,
            ]) { $0.zoneLines(id: 7, frame: 2)[index] }
        }
    }

    @Test func goldenLinesOfMissing() {
        expect(
            [#"{"v":1,"type":"missing","#] + envelope("object", missing: 1)
                + [
                    #""box":{"x":97.5,"y":45,"w":90,"h":100.25},"#,
                    #""nbox":{"x":0.076171875,"y":0.0625,"w":0.0703125,"h":0.13923611},"predicted":true,"count":2,"#,
                    #""object":{"labels":[{"text":"cup \"1\"","index":41,"confidence":0.5}]}}"#,
                ]
        ) { $0.track(.missing, .object, id: 7, frame: 2) }
    }

    /// The content of an object's line, and whether the line has a confidence.
    @Test(arguments: [
        (ObjectLabels(), #""count":2,"object":{"labels":[]}}"#),
        (
            ObjectLabels(category: .unknown, isProminent: true),
            #""count":2,"object":{"labels":[],"category":"unknown","prominent":true}}"#
        ),
        (
            ObjectLabels(
                labels: [Label(text: "cup", index: 41, confidence: 0.75)], category: .homeGood, isProminent: true,
                isIncomplete: true),
            #""confidence":0.875,"count":2,"object":{"labels":[{"text":"cup","index":41,"confidence":0.75}],"#
                + #""category":"home_good","prominent":true,"incomplete":true}}"#
        ),
    ])
    func goldenLinesOfObjects(object: ObjectLabels, end: String) {
        var event = SampleEvents.trackEvent(.update, .object, id: 7, frame: 2)
        event.track.detection.content = .object(object)
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"))
        let line = String(decoding: encoder.encode(.track(event)).line, as: UTF8.self)
        #expect(line.hasSuffix(#""velocity":{"x":3,"y":-1.5},"# + end + "\n"), "\(line)")
    }

    @Test func goldenLinesOfAMissingFaceHaveNoLandmarks() {
        expect(
            [#"{"v":1,"type":"missing","#] + envelope("face", missing: 1)
                + [
                    #""box":{"x":97.5,"y":45,"w":90,"h":100.25},"#,
                    #""nbox":{"x":0.076171875,"y":0.0625,"w":0.0703125,"h":0.13923611},"predicted":true,"count":2}"#,
                ]
        ) { $0.track(.missing, .face, id: 7, frame: 2) }
    }

    @Test func goldenLinesOfCompleted() {
        expect(
            [#"{"v":1,"type":"completed","#] + envelope("barcode")
                + [
                    #""box":{"x":102.5,"y":50,"w":80,"h":90.25},"#,
                    #""nbox":{"x":0.080078125,"y":0.06944445,"w":0.0625,"h":0.12534723},"#,
                    #""corners":[{"x":1,"y":2},{"x":3,"y":2},{"x":3,"y":4},{"x":1,"y":4}],"count":2,"#,
                    #""reason":"end_of_stream","duration_ms":66,"frames":2,"#,
                    #""last":{"format":"ean_13","raw":"4006381333931","raw_base64":"NDAwNjM4MTMzMzkzMQ==","#,
                    #""add_on":"02","display":"4006381333931","value_format":"product","orientation":0,"reads":2},"#,
                    #""barcode":{"format":"ean_13","raw":"4006381333931","raw_base64":"NDAwNjM4MTMzMzkzMQ==","#,
                    #""add_on":"02","display":"4006381333931","value_format":"product","orientation":0,"reads":2}}"#,
                ]
        ) { $0.track(.completed(.endOfStream), .barcode, id: 7, frame: 2) }
    }

    @Test func goldenLinesOfSources() {
        expect(
            [
                #"{"v":1,"type":"source","pipeline":"door","tags":{"a":"1","b":"2"},"#,
                #""time":"1970-01-01T00:00:00.000000000Z","clock":"file","state":"lost","error":"gone"}"#,
            ], tags: ["b": "2", "a": "1"]
        ) { $0.source(.lost, error: "gone") }
    }

    @Test func goldenLinesOfDetectors() {
        expect(
            [
                #"{"v":1,"type":"detector","pipeline":"door","#,
                #""time":"1970-01-01T00:00:00.000000000Z","clock":"file","detector":"face","kind":"face","operational":false,"reason":"no model"}"#,
            ]
        ) { $0.detector("face", operational: false, reason: "no model") }
    }
}
