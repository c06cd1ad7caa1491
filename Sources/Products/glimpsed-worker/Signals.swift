// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Dispatch

/// Turns SIGINT and SIGTERM into a request instead of a sudden end. Create it before any other thread starts, and keep
/// it alive.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    init(_ whenAsked: @escaping @Sendable () -> Void) {
        // Ignored, so that a closed reader is an error of `write` and does not end the process.
        signal(SIGPIPE, SIG_IGN)
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { whenAsked() }
            source.activate()
            return source
        }
    }
}
