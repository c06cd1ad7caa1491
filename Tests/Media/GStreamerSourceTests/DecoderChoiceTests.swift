// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Settings
import Testing

@testable import GStreamerSource

/// The choice of decoders. This machine needs no decoder of its own hardware for these tests.
@Suite struct DecoderChoiceTests {
    private static let decoders: [VideoDecoder] = [
        .init("avdec_h264", isHardware: false), .init("jpegdec", isHardware: false), .init("vp8dec", isHardware: false),
        .init("vah264dec", isHardware: true), .init("vaapih264dec", isHardware: true),
        .init("v4l2h264dec", isHardware: true), .init("v4l2slh264dec", isHardware: true),
        .init("nvh264dec", isHardware: true),
    ]

    private func order(_ choice: DecoderChoice) -> [String] {
        DecoderRanks.changes(for: choice, of: Self.decoders).filter { $0.value > 0 }.sorted { $0.value > $1.value }
            .map(\.key)
    }

    @Test func automaticDecodersKeepGStreamersRanks() {
        #expect(DecoderRanks.changes(for: .auto, of: Self.decoders).isEmpty)
    }

    @Test func softwareDecodersLeaveNoHardwareDecoder() {
        let changes = DecoderRanks.changes(for: .software, of: Self.decoders)
        #expect(changes.values.allSatisfy { $0 == 0 })
        #expect(changes.keys.sorted() == ["nvh264dec", "v4l2h264dec", "v4l2slh264dec", "vaapih264dec", "vah264dec"])
    }

    @Test func chosenHardwareDecodersGoFirstAndOthersAreLeftOut() {
        #expect(order(.va) == ["vah264dec", "vaapih264dec"])
        #expect(Set(order(.v4l2)) == ["v4l2h264dec", "v4l2slh264dec"])
        let changes = DecoderRanks.changes(for: .va, of: Self.decoders)
        #expect(changes["v4l2h264dec"] == 0 && changes["nvh264dec"] == 0)
        // GStreamer's highest rank of its own is 256 and a little.
        #expect(changes.values.allSatisfy { $0 == 0 || $0 >= 512 })
        // Software keeps its rank, so that it follows.
        #expect(changes["avdec_h264"] == nil && changes["vp8dec"] == nil)
    }

    @Test func installedDecodersHaveTheirFamilies() throws {
        try GStreamerRuntime.start()
        let installed = DecoderRanks.installed
        #expect(installed.contains(.init("avdec_h264", isHardware: false)))
        #expect(installed.first { $0.name == "jpegdec" }?.family == .software)
        for (_, names) in GStreamerInventory.hardwareDecoders {
            #expect(names.allSatisfy { name in installed.contains { $0.name == name && $0.family != .software } })
        }
    }

    // MARK: Fallback

    private let error = SourceError(.failed, "camera: no picture (vah264dec)")

    @Test func anErrorOfAHardwareDecoderFallsBackOnce() {
        var fallback = DecoderFallback()
        fallback.begin(.va)
        let takes = [
            fallback.takes(error, triedDecoders: ["h264parse", "vah264dec"]),
            fallback.takes(error, triedDecoders: ["vah264dec"]),
        ]
        #expect(takes == [true, false] && fallback.choice == .software)
        let remarks = [nil, "avdec_h264", "avdec_h264"].map { fallback.takeRemark(atWork: $0) }
        let text = "warning: source.decoder = \"va\": camera: no picture (vah264dec); avdec_h264 decodes instead"
        #expect(remarks == [nil, text, nil])
    }

    @Test(arguments: [DecoderChoice.auto, .software, .va]) func anErrorWithoutAHardwareDecoderIsTheSources(
        choice: DecoderChoice
    ) {
        var fallback = DecoderFallback()
        fallback.begin(choice)
        let takes = fallback.takes(error, triedDecoders: ["avdec_h264", "v4l2h264dec"])
        #expect(!takes && fallback.choice == choice)
    }

    @Test(arguments: [(DecoderChoice.v4l2, "v4l2slh264dec"), (.software, "avdec_h264"), (.auto, "avdec_h264")])
    func theChosenDecoderAtWorkNeedsNoRemark(choice: DecoderChoice, decoder: String) {
        var fallback = DecoderFallback()
        fallback.begin(choice)
        let remark = fallback.takeRemark(atWork: decoder)
        #expect(remark == nil)
    }

    /// No hardware decoder is installed where tests run, so software decodes and says so.
    @Test(arguments: [DecoderChoice.auto, .software, .va, .v4l2])
    func aFilmIsDecodedWhateverDecoderIsChosen(choice: DecoderChoice) throws {
        let scope = TestScope()
        let film = try MediaMaker.film(
            scope.path("film.mkv"), frames: 5, encoding: "openh264enc ! h264parse ! matroskamux")
        var settings = SourceSettings(kind: .file(path: film))
        settings.decoder = choice
        let source = GStreamerSource(settings)
        try source.start()
        defer { source.stop() }
        var numbers: [UInt64] = []
        var remarks: [String] = []
        let deadline = ContinuousClock.now + patience
        reading: while ContinuousClock.now < deadline {
            switch source.next(timeout: .milliseconds(100)) {
            case .frame(let frame):
                numbers.append(frame.info.sequence)
                source.takeRemark().map { remarks.append($0) }
            case .nothing: break
            case .ended, .failed: break reading
            }
        }
        #expect(numbers == [1, 2, 3, 4, 5])
        if choice.isHardware, GStreamerInventory.hardwareDecoders.allSatisfy(\.names.isEmpty) {
            let text = "warning: source.decoder = \"\(choice.rawValue)\": no such decoder works here; "
            #expect(remarks.count == 1 && remarks[0].hasPrefix(text) && remarks[0].hasSuffix(" decodes instead"))
        } else {
            #expect(remarks.isEmpty || choice.isHardware)
        }
    }

    // MARK: A fake decoder of hardware

    /// Whether frames are the decoder's own pictures, in NV12 as the fake writes it, or those of a software decoder.
    @Test(arguments: ["works", "has_no_device", "refuses_frames"])
    func aHardwareDecoderIsTriedFirstAndItsPicturesAreNotCopied(fault: String) throws {
        let scope = TestScope()
        let film = try MediaMaker.film(
            scope.path("film.mkv"), frames: 5, encoding: "openh264enc ! h264parse ! matroskamux")
        let result = Program.run(Program.built("DecoderProbe"), [film, fault])
        #expect(result.status == 0, "\(result)")
        let isWorking = fault == "works"
        let lines = result.lines
        let frames = lines.filter { !$0.hasPrefix("warning") }
        #expect(frames == (1...5).map { isWorking ? "\($0) nv12 uncopied" : "\($0) i420 another" })
        let reasons = [
            "has_no_device": "no such decoder works here", "refuses_frames": "the driver refuses the profile",
        ]
        let remarks = lines.filter { $0.hasPrefix("warning: source.decoder = \"va\": ") }
        #expect(remarks.count == (isWorking ? 0 : 1), "\(lines)")
        if let reason = reasons[fault] { #expect(remarks.first?.contains(reason) == true, "\(remarks)") }
    }
}
