// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import Synchronization

/// The screen, shared by the task that reads and the task that draws. It exists from the first event on.
final class SharedScreen: Sendable {
    private let state = Mutex<LiveScreen?>(nil)

    func take(_ event: Event) {
        state.withLock { state in
            if state == nil { state = LiveScreen() }
            state?.take(event)
        }
    }

    func refresh() { state.withLock { $0?.refresh() } }

    /// Closes the screen. Later messages appear on the terminal as it was before.
    func close() {
        state.withLock { state in
            if state != nil { LiveScreen.close() }
            state = nil
        }
    }
}
