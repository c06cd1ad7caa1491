// SPDX-License-Identifier: Apache-2.0
/// Makes films and pictures with GStreamer's command line, so that tests read the output of real encoders.
package enum MediaMaker {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs a pipeline text to its end.
    package static func run(_ text: String, within limit: Duration = patience) throws {
        // The shell splits and unquotes the text.
        let result = Program.run("sh", ["-c", "exec gst-launch-1.0 -q \(text)"], within: limit)
        guard result.status == 0, !result.errors.contains("ERROR") else {
            throw Failure(description: "gst-launch-1.0 \(text)\n\(result)")
        }
    }

    /// Makes a film of a moving ball. `encoding` encodes and muxes it (`openh264enc ! h264parse ! matroskamux`).
    @discardableResult
    package static func film(
        _ path: String, frames: Int = 30, width: Int = 320, height: Int = 240, rate: String = "30/1",
        pattern: String = "ball",
        encoding: String
    ) throws -> String {
        try run(
            "videotestsrc num-buffers=\(frames) pattern=\(pattern)"
                + " ! video/x-raw,format=I420,width=\(width),height=\(height),framerate=\(rate)"
                + " ! \(encoding) ! filesink location=\(path)")
        return path
    }

    /// Makes one picture from a pattern of a given format. `encoding` encodes it (`pngenc`).
    @discardableResult
    package static func picture(
        _ path: String, width: Int, height: Int, format: String = "RGB", pattern: String = "smpte", encoding: String
    ) throws -> String {
        try run(
            "videotestsrc num-buffers=1 pattern=\(pattern) ! video/x-raw,format=\(format),width=\(width),height=\(height)"
                + " ! \(encoding) ! filesink location=\(path)")
        return path
    }
}
