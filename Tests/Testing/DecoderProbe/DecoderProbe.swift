// SPDX-License-Identifier: Apache-2.0
import CFakeDecoder
import Frames
import GStreamerSource
import Glibc
import Settings

/// Reads a film with `decoder = "va"` in a process that has a fake decoder of that family, because ranks count for a
/// whole process. Writes a line for each frame, and the source's remarks.
///
///     DecoderProbe FILM works|has_no_device|refuses_frames
@main
struct DecoderProbe {
    static func main() throws {
        let faults = [
            "works": FAKE_DECODER_WORKS, "has_no_device": FAKE_DECODER_HAS_NO_DEVICE,
            "refuses_frames": FAKE_DECODER_REFUSES_FRAMES,
        ]
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let fault = faults[arguments[2]] else { exit(64) }
        try GStreamerRuntime.start()
        guard fake_decoder_register("vah264dec", fault) != 0 else { exit(1) }
        var settings = SourceSettings(kind: .file(path: arguments[1]))
        settings.decoder = .va
        let source = GStreamerSource(settings)
        try source.start()
        while true {
            switch source.next(timeout: .seconds(1)) {
            case .frame(let frame):
                let isUncopied = frame.withPlanes { fake_decoder_wrote($0[0].base) != 0 }
                print("\(frame.info.sequence) \(frame.format) \(isUncopied ? "uncopied" : "another")")
                source.takeRemark().map { print($0) }
            case .nothing: break
            case .ended: return source.stop()
            case .failed(let error):
                print("failed: \(error)")
                exit(1)
            }
        }
    }
}
