import Detectors
import Dispatch
import Frames
import Observations
import Search
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
    private let tally = LaneTally()
    private let focusRequests = PendingRequest<FocusRequest>()
    private let changes = PendingRequest<LaneChange>()
    private let searchInbox: SearchInbox?
    private let thread: LaneThread

    /// - Parameter outlet: makes the outlet, on the lane's thread.
    init(
        _ configuration: LaneConfiguration, delivery: MultiDetector.Delivery,
        outlet: @escaping @Sendable (LanePlan) -> (any LaneOutlet)?
    ) {
        name = configuration.detector.name
        let (slot, frameDone, loaded, tally) = (slot, frameDone, loaded, tally)
        let (focusRequests, changes) = (focusRequests, changes)
        let searchInbox = SearchInbox()
        let search = LaneSearch(configuration, inbox: searchInbox, delivery: delivery)
        self.searchInbox = search == nil ? nil : searchInbox
        thread = LaneThread(name: name) {
            var worker = LaneWorker(
                configuration, delivery: delivery, search: search, outlet: outlet(configuration.plan))
            loaded.signal()
            while let command = slot.take() {
                switch command {
                case .frame(let frame, let handedOver):
                    tally.began()
                    if let change = changes.take() { worker.change(change) }
                    if let request = focusRequests.take() { worker.requestFocus(request) }
                    worker.process(frame, handedOver: handedOver)
                    tally.finished(worker, handedOver: handedOver)
                    frameDone.signal()
                case .complete(let reason, let done):
                    worker.completeAll(reason)
                    done.signal()
                }
            }
            // Nobody asked, but a track's life has an end all the same.
            worker.completeAll(.shutdown)
        }
    }

    /// The detector is gone afterwards: what it loaded must not be unloaded while the process ends.
    deinit {
        slot.close()
        thread.join()
    }

    /// What the lane has done so far. From any thread.
    var counts: LaneCounts {
        var counts = tally.counts
        counts.detector = name
        counts.dropped = slot.dropped
        return counts
    }

    /// How long the newest frames took. From any thread.
    var times: LaneTimes { tally.times(of: name) }

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

    /// Moves the focus before the next frame; a request that still waits gives way. From any thread.
    func requestFocus(_ request: FocusRequest) {
        focusRequests.put { _ in request }
    }

    /// Passes a command on to the lane's search session, which takes it with its next frame. From any thread.
    ///
    /// - Returns: false when too many wait, or there is no session.
    func command(_ command: SearchCommand) -> Bool { searchInbox?.put(.command(command)) ?? false }

    /// Whether it has a search session.
    var searches: Bool { searchInbox != nil }

    /// Goes on with another configuration from the next frame on; one that still waits gives way. From any thread.
    func change(to configuration: LaneConfiguration, replacesDetector: Bool) {
        changes.put { waiting in
            LaneChange(
                configuration: configuration,
                replacesDetector: replacesDetector || waiting?.replacesDetector == true)
        }
    }

    /// Ends every track and waits for it. Call it from the thread that offers the frames.
    func completeAll(_ reason: CompletionReason) {
        let done = DispatchSemaphore(value: 0)
        slot.put(.complete(reason, done: done))
        done.wait()
    }
}
