// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// A progress line on standard error. It is shown only while standard error is a terminal and standard output is not.
struct Progress {
    private let isShown = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 0
    private let started = ContinuousClock.now
    private var lastShown = ContinuousClock.now
    private var frames = 0

    mutating func processed(_ frame: FrameInfo) {
        frames += 1
        guard isShown, .now - lastShown > .milliseconds(500) else { return }
        lastShown = .now
        let elapsed = (lastShown - started) / .seconds(1)
        let text =
            "\r\(frames) frames, \(Int(frame.seconds)) s of video, \(Int(Double(frames) / elapsed)) frames a second  "
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    func finish() {
        if isShown, frames > 0 { say("") }
    }
}
