// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings
import Testing

/// A program sees the frames, and its answers become detections.
@Suite struct FramesOfProgramsTests {
    @Test func anAnswerBecomesDetectionsInPixelsOfTheFrame() throws {
        var program = try TestProgram(
            """
            return reply(frame, [
                {"box": [1, 2, 10, 20], "confidence": 0.5, "attributes": {"value": "a", "n": [1, None]}},
                {"box": [-5, -5, 10, 10], "corners": [[0, 0], [5, 0], [5, 5], [0, 5]]}])
            """)
        program.settings.width = 32
        let loaded = try program.loaded()
        #expect(loaded.model == "m1")
        let found = try loaded.detector.detect(in: FramePainter(width: 64, height: 48).frame(1, seconds: 0))
        try #require(found.count == 2)
        #expect(found[0].box == Box(x: 2, y: 4, width: 20, height: 40) && found[0].confidence == 0.5)
        #expect(found[0].kind.rawValue == "thing" && found[0].attributes == #"{"n":[1,null],"value":"a"}"#)
        #expect(found[1].box == Box(x: 0, y: 0, width: 10, height: 10) && found[1].confidence == nil)
        #expect(found[1].corners?.bottomRight == Point(x: 10, y: 10))
    }

    @Test func aGreyFrameArrivesAsItIs() throws {
        let program = try TestProgram(
            """
            rows = pixels(frame)
            sums = [sum(rows[y * frame["stride"]:y * frame["stride"] + frame["width"]]) for y in range(frame["height"])]
            return reply(frame, [{"box": [0, 0, 1, 1], "attributes": {"sums": sums, "line": frame}}])
            """)
        var painter = FramePainter(width: 61, height: 5, padding: 7)
        painter.paint { UInt8(truncatingIfNeeded: $0 * 3 + $1 * 50) }
        let detector = try program.detector()
        for number in 1...3 {
            let found = try detector.detect(in: painter.frame(number, seconds: Double(number)))
            let sums = (0..<5).map { y in (0..<61).reduce(0) { $0 + Int(UInt8(truncatingIfNeeded: $1 * 3 + y * 50)) } }
            let text = try #require(found.first?.attributes)
            #expect(text.contains("\"sums\":\(sums.description.filter { $0 != " " })"))
            #expect(text.contains(#""format":"gray8","frame":\#(number),"height":5,"roi":[0,0,60,4]"#), "\(text)")
            #expect(text.contains(#""stride":64,"time_ns":\#(number)000000000,"width":61"#))
        }
    }

    @Test(arguments: [ExternalSettings.Format.gray8, .nv12, .rgb24], [1280, 320])
    func colouredFramesArriveInTheFormatAndSizeThatIsWanted(format: ExternalSettings.Format, width: Int) throws {
        var program = try TestProgram(
            """
            rows, w, h, s = pixels(frame), frame["width"], frame["height"], frame["stride"]
            x, y = w // 4, h // 2
            if frame["format"] == "rgb24": seen = list(rows[y * s + 3 * x:y * s + 3 * x + 3])
            elif frame["format"] == "nv12": seen = [rows[y * s + x]] + list(rows[h * s + y // 2 * s + x // 2 * 2:][:2])
            else: seen = [rows[y * s + x]]
            return reply(frame, [{"box": [0, 0, w, h], "attributes": {"seen": seen, "size": [w, h]}}])
            """)
        program.settings.format = format
        program.settings.width = width
        // The second of the eight bars of SMPTE's picture: yellow of 75 %.
        let source = GStreamerSource(
            SourceSettings(
                kind: .launch(
                    "videotestsrc num-buffers=1 pattern=smpte75 ! video/x-raw,format=I420,width=640,height=360")))
        try source.start()
        defer { source.stop() }
        var frame: Frame?
        while frame == nil { if case .frame(let next) = source.next(timeout: .seconds(1)) { frame = next } }
        let found = try program.detector().detect(in: try #require(frame))
        let text = try #require(found.first?.attributes)
        let size = min(width, 640)
        #expect(text.hasSuffix("\"size\":[\(size),\(size * 9 / 16)]}"), "\(text)")
        let seen = text.split(whereSeparator: { "[]".contains($0) })[1].split(separator: ",").compactMap { Int($0) }
        let wanted =
            switch format {
            case .gray8: [162]
            case .nv12: [162, 44, 142]
            case .rgb24: [191, 191, 0]
            }
        #expect(seen.count == wanted.count && zip(seen, wanted).allSatisfy { abs($0 - $1) <= 5 }, "\(seen)")
        #expect(found[0].box == Box(x: 0, y: 0, width: 640, height: 360))
    }

    @Test func onlyTheRegionOfInterestIsReported() throws {
        var program = try TestProgram(
            """
            return reply(frame, [{"box": [x, 10, 4, 4], "attributes": {"roi": frame["roi"]}} for x in (0, 40)])
            """)
        program.settings.common.roi = RegionOfInterest(x: 0.5, y: 0, width: 0.5, height: 1)
        let found = try program.detector().detect(in: FramePainter().frame(1, seconds: 0))
        #expect(found.map(\.box.x) == [40])
        #expect(found.first?.attributes == #"{"roi":[32,0,32,48]}"#)
    }

    @Test func patternsOfValuesDecideWhatSubscribersSee() throws {
        var program = try TestProgram(
            """
            return reply(frame, [
                {"box": [0, 0, 4, 4], "attributes": {"value": value, "letters": value}}
                for value in ("AB 123", "AB 999", "secret AB", "other")])
            """)
        program.settings.allow = [try .init("AB")]
        program.settings.deny = [try .init("999$")]
        program.settings.redact = [try .init("secret")]
        let found = try program.detector().detect(in: FramePainter().frame(1, seconds: 0))
        #expect(found.map(\.attributes) == [#"{"letters":"AB 123","value":"AB 123"}"#, #"{"redacted":true}"#])
    }
}
