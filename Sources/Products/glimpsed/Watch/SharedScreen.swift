import GlimpseClient
import Synchronization

/// The screen, for the one who reads and the one who draws; there from the first event on.
final class SharedScreen: Sendable {
    private let state = Mutex<LiveScreen?>(nil)

    func take(_ event: Event) {
        state.withLock { state in
            if state == nil { state = LiveScreen() }
            state?.take(event)
        }
    }

    func refresh() { state.withLock { $0?.refresh() } }

    /// What is said from now on stands on the terminal as it was.
    func close() {
        state.withLock { state in
            if state != nil { LiveScreen.close() }
            state = nil
        }
    }
}
