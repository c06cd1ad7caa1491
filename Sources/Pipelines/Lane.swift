import Detectors
import Dispatch
import Frames
import Observations
import Synchronization
import Tracking

/// One detector with its tracker on a thread of its own, fed through a slot in which the newest frame wins. A slow lane costs no
/// other one anything.
final class Lane: Sendable {
    private enum Command: Sendable {
        case frame(Frame, handedOver: ContinuousClock.Instant)
        /// Ends every track; signals when the lane is done.
        case complete(CompletionReason, done: DispatchSemaphore)
    }

    let name: String
    private let slot = LatestSlot<Command>()
    /// Signalled after each frame that was taken.
    private let frameDone = DispatchSemaphore(value: 0)
    private let loaded = DispatchSemaphore(value: 0)
    private let processed = Counter()

    init(_ configuration: LaneConfiguration, delegate: any MultiDetectorDelegate) {
        name = configuration.detector.name
        let (slot, frameDone, loaded, processed) = (slot, frameDone, loaded, processed)
        LaneThread.start(name: name) {
            var worker = LaneWorker(configuration, delegate: delegate)
            loaded.signal()
            while let command = slot.take() {
                switch command {
                case .frame(let frame, let handedOver):
                    worker.process(frame, handedOver: handedOver)
                    processed.add()
                    frameDone.signal()
                case .complete(let reason, let done):
                    worker.completeAll(reason)
                    done.signal()
                }
            }
        }
    }

    deinit { slot.close() }

    /// How many frames went through.
    var processedFrames: Int { processed.value }

    /// How many frames were replaced by newer ones before the detector was free.
    var droppedFrames: Int { slot.dropped }

    /// Waits until the detector has been loaded, or was found not to be operational.
    func waitUntilLoaded() {
        loaded.wait()
        loaded.signal()
    }

    /// Hands over a frame and returns at once; a frame that still waits is dropped for it.
    func offer(_ frame: Frame) {
        slot.put(.frame(frame, handedOver: .now))
    }

    /// Waits until a frame that was offered has gone through. Only for lanes that are offered one frame at a time.
    func waitUntilDone() {
        frameDone.wait()
    }

    /// Ends every track and waits for it. Call it from the thread that offers the frames.
    func completeAll(_ reason: CompletionReason) {
        let done = DispatchSemaphore(value: 0)
        slot.put(.complete(reason, done: done))
        done.wait()
    }
}

/// A count that one thread advances and any may read.
private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}
