import CProcess

/// Decides when what ended connections held is given back to the system: after many of them, and seldom, as it takes milliseconds. A thousand
/// peers that had stopped reading hold some 50 MB.
struct HeapTrim {
    private static let connections = 32
    private static let interval = Duration.seconds(10)

    private var ended = 0
    private var last: ContinuousClock.Instant

    init(at instant: ContinuousClock.Instant) {
        last = instant
    }

    mutating func connectionEnded() { ended += 1 }

    mutating func timePassed(at instant: ContinuousClock.Instant) {
        guard ended >= Self.connections, instant - last >= Self.interval else { return }
        (ended, last) = (0, instant)
        glimpse_trim_heap()
    }
}
