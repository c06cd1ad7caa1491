// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts those who take something of which there is a limited number. Any thread may use it.
final class Places: Sendable {
    let most: Int
    private let taken = Mutex(0)

    init(_ most: Int) {
        self.most = most
    }

    /// Takes places, or none and returns false if fewer are free.
    func take(_ count: Int = 1) -> Bool {
        taken.withLock { taken in
            guard taken + count <= most else { return false }
            taken += count
            return true
        }
    }

    func leave(_ count: Int = 1) { taken.withLock { $0 -= count } }
}
