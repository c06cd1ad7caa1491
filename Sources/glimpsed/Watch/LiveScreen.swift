import Glibc
import GlimpseClient

/// The live table on a terminal: one row for each track, redrawn in place.
struct LiveScreen {
    static let refreshInterval = Duration.milliseconds(100)
    private var table = TrackTable()
    private var drawn = ""

    init() {
        // The alternate screen, so that what was on the terminal comes back.
        put("\u{1B}[?1049h\u{1B}[?25l")
        signal(SIGINT) { _ in LiveScreen.leave() }
        signal(SIGTERM) { _ in LiveScreen.leave() }
    }

    mutating func take(_ event: Event) { table.take(event) }

    /// Draws what has changed since the last time, if anything.
    mutating func refresh() {
        var size = winsize()
        _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        let rows = table.rows(
            width: size.ws_col > 0 ? Int(size.ws_col) : 80, height: size.ws_row > 0 ? Int(size.ws_row) : 24)
        let picture = "\u{1B}[H" + rows.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
        guard picture != drawn else { return }
        drawn = picture
        put(picture)
    }

    private static let restore = "\u{1B}[?25h\u{1B}[?1049l"

    private static func leave() {
        _ = write(STDOUT_FILENO, restore, restore.utf8.count)
        _exit(0)
    }

    private func put(_ text: String) {
        _ = write(STDOUT_FILENO, text, text.utf8.count)
    }
}
