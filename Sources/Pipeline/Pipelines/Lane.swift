// SPDX-License-Identifier: Apache-2.0
import Detectors
import Dispatch
import Frames
import Observations
import Search
import Tracking

/// One detector with its tracker on its own thread, fed through a slot that keeps only the newest frame. A slow lane
/// does not delay other lanes.
final class Lane: Sendable {
    private enum Command: Sendable {
        /// An awaited frame signals `frameDone`.
        case frame(Frame, handedOver: ContinuousClock.Instant, isAwaited: Bool)
        /// Ends every track; signals when the lane is done.
        case complete(CompletionReason, done: DispatchSemaphore)
    }

    let name: String
    private let slot = LatestSlot<Command>()
    /// Signalled after each awaited frame.
    private let frameDone = DispatchSemaphore(value: 0)
    private let loaded = DispatchSemaphore(value: 0)
    private let meter = LaneMeter()
    private let focusRequests = PendingRequest<FocusRequest>()
    private let changes = PendingRequest<LaneChange>()
    private let searchInbox: SearchInbox?
    private let thread: LaneThread

    /// - Parameter outlet: creates the outlet, on the lane's thread.
    init(
        _ configuration: LaneConfiguration, delivery: MultiDetector.Delivery,
        outlet: @escaping @Sendable (LanePlan) -> (any LaneOutlet)?
    ) {
        name = configuration.detector.name
        let (slot, frameDone, loaded, meter) = (slot, frameDone, loaded, meter)
        let (focusRequests, changes) = (focusRequests, changes)
        let searchInbox = SearchInbox()
        let search = LaneSearch(configuration, inbox: searchInbox, delivery: delivery)
        self.searchInbox = search == nil ? nil : searchInbox
        thread = LaneThread(name: name) {
            var worker = LaneWorker(
                configuration, delivery: delivery, search: search, outlet: outlet(configuration.plan))
            meter.loaded(obstacle: worker.obstacle)
            loaded.signal()
            while let command = slot.take() {
                switch command {
                case .frame(let frame, let handedOver, let isAwaited):
                    meter.began()
                    if let change = changes.take() { worker.change(change) }
                    if let request = focusRequests.take() { worker.requestFocus(request) }
                    worker.process(frame, handedOver: handedOver)
                    meter.finished(
                        worker.metrics, isSettled: worker.isSettled, handedOver: handedOver)
                    if isAwaited { frameDone.signal() }
                case .complete(let reason, let done):
                    worker.completeAll(reason)
                    done.signal()
                }
            }
            // Without a request, every track still gets its end.
            worker.completeAll(.shutdown)
        }
    }

    /// Releases the detector before returning, because its libraries must not be unloaded while the process ends.
    deinit {
        slot.close()
        thread.join()
    }

    /// The counts of the lane so far. Any thread may read it.
    var metrics: LaneMetrics {
        var metrics = LaneMetrics(detector: name, meter.values)
        metrics[.busyDrops] = UInt64(slot.dropped)
        return metrics
    }

    /// Waits until the detector is loaded, or is found not to be operational.
    func waitUntilLoaded() {
        loaded.wait()
        loaded.signal()
    }

    /// Waits until the detector has been loaded.
    ///
    /// - Throws: the reason why the detector cannot work on this machine.
    func waitUntilOperational() throws(DetectorError) {
        waitUntilLoaded()
        if let obstacle = meter.obstacle { throw DetectorError("\(name): \(obstacle)") }
    }

    /// Hands over a frame and returns at once. A frame still waiting in the slot is dropped.
    ///
    /// - Parameter isAwaited: whether the caller calls `waitUntilDone` before it offers another frame.
    func offer(_ frame: Frame, isAwaited: Bool) {
        slot.put(.frame(frame, handedOver: .now, isAwaited: isAwaited))
    }

    /// Whether the lane needs no frame to decide about a track. Any thread may read it.
    var isSettled: Bool { meter.isSettled }

    /// Waits until an awaited frame is processed.
    func waitUntilDone() {
        frameDone.wait()
    }

    /// Moves the focus before the next frame, and replaces a waiting request. Any thread may call it.
    func requestFocus(_ request: FocusRequest) {
        focusRequests.put { _ in request }
    }

    /// Passes a command to the lane's search session, which takes it with the next frame. Any thread may call it.
    ///
    /// - Returns: false if too many commands wait, or the lane has no session.
    func command(_ command: SearchCommand) -> Bool { searchInbox?.put(.command(command)) ?? false }

    /// Whether the lane has a search session.
    var searches: Bool { searchInbox != nil }

    /// Applies a new configuration from the next frame on, and replaces a waiting one. Any thread may call it.
    func change(to configuration: LaneConfiguration, replacesDetector: Bool) {
        changes.put { waiting in
            LaneChange(
                configuration: configuration,
                replacesDetector: replacesDetector || waiting?.replacesDetector == true)
        }
    }

    /// Ends every track and waits for the end. Call it on the thread that offers the frames.
    func completeAll(_ reason: CompletionReason) {
        let done = DispatchSemaphore(value: 0)
        slot.put(.complete(reason, done: done))
        done.wait()
    }
}
