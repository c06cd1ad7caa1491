import Synchronization

/// Counts those who take something of which there is a limited number. Any thread may use it.
final class Places: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    init(_ most: Int) {
        self.most = most
    }

    /// Takes a place. Returns false if all places are taken.
    func take() -> Bool {
        taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
    }

    func leave() { taken.withLock { $0 -= 1 } }
}
