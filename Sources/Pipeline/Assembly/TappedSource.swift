import Frames

/// A source that passes each frame to taps before the detectors receive it, on the thread that reads the source.
final class TappedSource: FrameSource {
    private let source: any FrameSource
    private let taps: [(Frame) -> Void]

    init(_ source: any FrameSource, taps: [(Frame) -> Void]) {
        self.source = source
        self.taps = taps
    }

    func start() throws(SourceError) { try source.start() }

    func next(timeout: Duration) -> SourceOutput {
        let output = source.next(timeout: timeout)
        if case .frame(let frame) = output { for tap in taps { tap(frame) } }
        return output
    }

    func stop() { source.stop() }
}
