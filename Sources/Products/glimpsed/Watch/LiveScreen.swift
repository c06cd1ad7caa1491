// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseClient
import Synchronization

/// The live table on a terminal: one row per track, redrawn in place. At most one may exist at a time.
struct LiveScreen {
    static let refreshInterval = Duration.milliseconds(100)

    /// Whether standard output is a terminal that supports drawing.
    static var isPossible: Bool {
        guard isatty(STDOUT_FILENO) == 1, let terminal = getenv("TERM") else { return false }
        return !["", "dumb"].contains(String(cString: terminal))
    }

    private var table = TrackTable()
    private var drawn = ""
    private var size: (columns: Int, rows: Int) = (0, 0)

    init() {
        // Restores the terminal before the process ends, and while it is stopped.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal(number) { _ in
                LiveScreen.close()
                _exit(0)
            }
        }
        LiveScreen.open()
    }

    mutating func take(_ event: Event) { table.take(event) }

    /// Draws the rows if any changed since the last call. Redraws everything after the terminal's size changed.
    mutating func refresh() {
        var window = winsize()
        _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window)
        let (columns, rows) = (window.ws_col > 0 ? Int(window.ws_col) : 80, window.ws_row > 0 ? Int(window.ws_row) : 24)
        if LiveScreen.isBlank.exchange(false, ordering: .relaxed) || size != (columns, rows) { drawn = "" }
        size = (columns, rows)
        let lines = table.rows(width: columns, height: rows)
        // Clears each row before writing it. After the last character of a full row the cursor may still be on that
        // character.
        let picture = lines.map { "\u{1B}[2K\($0)" }.joined(separator: "\r\n")
        guard picture != drawn else { return }
        LiveScreen.put("\u{1B}[H\(picture)\(lines.count < rows ? "\r\n\u{1B}[J" : "")")
        drawn = picture
    }

    /// Whether the terminal shows nothing of what was drawn.
    private static let isBlank = Atomic(true)

    /// Enters the alternate screen, which keeps the terminal's earlier content. Hides the cursor, and cuts rows at the
    /// edge because a terminal may show a character wider than this program assumes.
    private static let opening: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let closing: StaticString = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private static func open() {
        signal(SIGCONT) { _ in LiveScreen.open() }
        signal(SIGTSTP) { _ in
            LiveScreen.close()
            signal(SIGTSTP, SIG_DFL)
            raise(SIGTSTP)
        }
        _ = write(STDOUT_FILENO, opening.utf8Start, opening.utf8CodeUnitCount)
        isBlank.store(true, ordering: .relaxed)
    }

    static func close() { _ = write(STDOUT_FILENO, closing.utf8Start, closing.utf8CodeUnitCount) }

    private static func put(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { rest.removeFirst(count) } else if errno != EINTR { return }
        }
    }
}
