// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations
import Search

/// Runs several detectors on one stream of frames, each in its own lane. Each feature in view gets its own tracker
/// object from the delegate.
///
/// No operation joins lanes: face tracks never wait for barcode tracks. Frames and stops must come from one thread; any
/// thread may read the metrics.
public final class MultiDetector: Sendable {
    /// The treatment of frames that arrive faster than a lane can take them.
    public enum Delivery: Sendable, Equatable {
        /// For live sources: a free lane takes the newest frame, and frames in between are dropped and counted.
        case newest
        /// For files: every frame passes through every lane before the next one is taken.
        case every

        /// The clock of the lines. A file's own time makes every run give equal bytes.
        public var clock: ClockSource { self == .every ? .file : .arrival }

        /// The delivery of a run whose lines have this clock.
        package init(_ clock: ClockSource) { self = clock == .file ? .every : .newest }
    }

    private let lanes: [Lane]
    let delivery: Delivery

    /// Creates the lanes, which start to load their detectors at once, on their own threads.
    public convenience init(
        _ lanes: [LaneConfiguration], delivery: Delivery, delegate: any MultiDetectorDelegate
    ) {
        self.init(lanes, delivery) { DelegateOutlet($0.detector, delegate) }
    }

    /// Creates lanes whose tracks become the daemon's event lines. The lanes start to load their detectors at once.
    public convenience init(_ lanes: [LaneConfiguration], events: EventEmitter) {
        self.init(lanes, events.delivery) { events.lane(for: $0) }
    }

    private init(
        _ lanes: [LaneConfiguration], _ delivery: Delivery, outlet: @escaping @Sendable (LanePlan) -> (any LaneOutlet)?
    ) {
        self.lanes = lanes.map { Lane($0, delivery: delivery, outlet: outlet) }
        self.delivery = delivery
    }

    /// The metrics of each lane. Any thread may read them.
    public var metrics: [LaneMetrics] { lanes.map(\.metrics) }

    /// Waits until every detector is loaded, or is found not to be operational.
    public func waitUntilLoaded() {
        for lane in lanes { lane.waitUntilLoaded() }
    }

    /// Waits until every detector has been loaded.
    ///
    /// - Throws: for the first detector that cannot work on this machine, its name and the reason.
    public func waitUntilOperational() throws(DetectorError) {
        for lane in lanes { try lane.waitUntilOperational() }
    }

    /// Offers the frame to every lane. With the delivery `every` it returns when all lanes have processed the frame;
    /// otherwise at once.
    public func receive(_ frame: Frame) { receive(frame, delivery) }

    func receive(_ frame: Frame, _ delivery: Delivery) {
        for lane in lanes { lane.offer(frame, isAwaited: delivery == .every) }
        if delivery == .every {
            for lane in lanes { lane.waitUntilDone() }
        }
    }

    /// Whether no lane needs a frame to decide about a track.
    var isSettled: Bool { lanes.allSatisfy(\.isSettled) }

    /// Moves a detector's focus to a track before its next frame, until the track ends; nil returns to the configured
    /// policy. Any thread may call it.
    ///
    /// Other tracks are completed (`focus_changed`). A track that went out of focus may be requested by its former id,
    /// and is then detected anew. A track that is not live is reported (`LaneOutput.Report.focusRefused`), and nothing
    /// changes.
    public func requestFocus(detector: String, on id: TrackID?) throws(FocusRequestError) {
        guard let lane = lanes.first(where: { $0.name == detector }) else {
            let names = lanes.map(\.name).joined(separator: ", ")
            throw FocusRequestError("unknown detector \"\(detector)\"; the detectors are: \(names)")
        }
        lane.requestFocus(id.map { .track($0) } ?? .policy)
    }

    /// Changes a detector's lane from its next frame on: the rate, the zones, the tracking rules and, with
    /// `replacesDetector`, the detector. The detector's name stays, and its tracks continue. The focus, the first id
    /// and `explains` do not change.
    ///
    /// Does nothing for an unknown detector. Any thread may call it.
    public func change(_ configuration: LaneConfiguration, replacesDetector: Bool) {
        lanes.first { $0.name == configuration.detector.name }?.change(
            to: configuration, replacesDetector: replacesDetector)
    }

    /// Passes a command to the search session, which takes it with its lane's next frame. Any thread may call it.
    ///
    /// - Throws: if no session exists, or too many commands are waiting for a frame.
    package func command(_ command: SearchCommand) throws(SearchCommandError) {
        guard let lane = lanes.first(where: \.searches) else {
            throw SearchCommandError(description: "the pipeline has no [search]")
        }
        if !lane.command(command) { throw .tooManyWait }
    }

    /// Ends every track of every lane and waits for the end.
    public func completeAll(_ reason: CompletionReason) {
        for lane in lanes { lane.completeAll(reason) }
    }
}

/// The reason why a command cannot be passed to a search session, as text for its sender.
package struct SearchCommandError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String

    package static let tooManyWait = SearchCommandError(description: "too many commands are waiting for a frame")
}
