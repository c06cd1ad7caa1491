#if canImport(Glibc)
    import Glibc
#endif
import Dispatch

/// SIGINT and SIGTERM as a request instead of a sudden end. Make it before any other thread starts, and keep it.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    init(_ whenAsked: @escaping @Sendable () -> Void) {
        // A reader that goes away is an error of write, not the end of the process.
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
