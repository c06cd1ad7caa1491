// SPDX-License-Identifier: Apache-2.0
import Glibc
import ModelStore

/// A progress line, overwritten in place on a terminal. Elsewhere nothing is shown.
struct DownloadProgress {
    private let isShown = isatty(STDERR_FILENO) == 1
    private var lastShown: ContinuousClock.Instant?

    mutating func show(_ progress: ModelInstaller.Progress) {
        guard isShown else { return }
        let now = ContinuousClock.now
        if let lastShown, now - lastShown < .milliseconds(100), progress.bytes != progress.total { return }
        lastShown = now
        var text = "\(progress.file): \(sizeText(progress.bytes))"
        if let total = progress.total, total > 0 {
            text += " of \(sizeText(total)), \(progress.bytes * 100 / total) %"
        }
        put("\r\(text)\u{1B}[K")
    }

    mutating func clear() {
        if lastShown != nil { put("\r\u{1B}[K") }
        lastShown = nil
    }

    private func put(_ text: String) {
        var errors = StandardError()
        print(text, terminator: "", to: &errors)
    }
}
