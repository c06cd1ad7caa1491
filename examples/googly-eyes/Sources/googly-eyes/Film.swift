// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseVision

/// An MP4 file that `gst-launch-1.0` writes.
final class Film {
    private static let picturesPerSecond = 30
    private let (pipe, encoder) = (Pipe(), Process())
    private var count = 0

    init(_ path: String, _ width: Int, _ height: Int) throws {
        // An encoder that has ended is an error of `append`.
        signal(SIGPIPE, SIG_IGN)
        let size = "width=\(width) height=\(height) framerate=\(Self.picturesPerSecond)/1"
        let text = "-q fdsrc ! rawvideoparse format=i420 \(size) ! openh264enc bitrate=2000000 ! h264parse ! mp4mux"
        encoder.executableURL = URL(fileURLWithPath: "/usr/bin/gst-launch-1.0")
        encoder.arguments = text.split(separator: " ").map(String.init) + ["!", "filesink", "location=\(path)"]
        encoder.standardInput = pipe
        try encoder.run()
    }

    /// Repeats pictures and leaves pictures out, so that the film's time is that of its source.
    func append(_ picture: [UInt8], at seconds: Double) throws {
        while Double(count) <= seconds * Double(Self.picturesPerSecond) {
            try pipe.fileHandleForWriting.write(contentsOf: picture)
            count += 1
        }
    }

    func finish() throws {
        try pipe.fileHandleForWriting.close()
        encoder.waitUntilExit()
        if encoder.terminationStatus != 0 { throw SourceError(.failed, "gst-launch-1.0 has failed") }
    }
}
