import Glibc

/// The live table on a terminal: one row for each track, redrawn in place.
struct LiveScreen {
    /// Milliseconds between two drawings.
    let refreshInterval: Int32 = 100
    private var table = TrackTable()
    private var lastDrawn: ContinuousClock.Instant?

    init() {
        // The alternate screen, so that what was on the terminal comes back.
        put("\u{1B}[?1049h\u{1B}[?25l")
        signal(SIGINT) { _ in LiveScreen.leave() }
        signal(SIGTERM) { _ in LiveScreen.leave() }
    }

    mutating func take(_ line: [UInt8]) {
        guard let line = WatchedLine(line) else { return }
        table.take(line)
    }

    mutating func refresh() {
        let now = ContinuousClock.now
        if let lastDrawn, now - lastDrawn < .milliseconds(Int(refreshInterval)) { return }
        lastDrawn = now
        var size = winsize()
        _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        let rows = table.rows(
            width: size.ws_col > 0 ? Int(size.ws_col) : 80, height: size.ws_row > 0 ? Int(size.ws_row) : 24)
        put("\u{1B}[H" + rows.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    func close() { put(Self.restore) }

    private static let restore = "\u{1B}[?25h\u{1B}[?1049l"

    private static func leave() {
        _ = write(STDOUT_FILENO, restore, restore.utf8.count)
        _exit(0)
    }

    private func put(_ text: String) {
        _ = write(STDOUT_FILENO, text, text.utf8.count)
    }
}
