import Frames
import Observations
import Search

/// Runs several detectors, each in a lane of its own, on the same frames; every feature in view gets its own tracker object from
/// the delegate.
///
/// Nothing joins across lanes: face tracks never wait for barcode tracks. Frames and stops come from one thread; the counts may be
/// read from any.
public final class MultiDetector: Sendable {
    /// What happens to frames that come faster than a lane can take them.
    public enum Delivery: Sendable, Equatable {
        /// For live sources: each lane takes the newest frame when it is free, what it could not take is dropped and counted.
        case newest
        /// For files: every frame goes through every lane before the next one is taken.
        case every

        /// What lines rest on: a file's own time, so that every run gives the same bytes.
        public var clock: ClockSource { self == .every ? .file : .arrival }

        /// The delivery of a run whose lines rest on this clock.
        package init(_ clock: ClockSource) { self = clock == .file ? .every : .newest }
    }

    private let lanes: [Lane]
    let delivery: Delivery

    /// The lanes start to load their detectors at once, on their own threads.
    public convenience init(
        _ lanes: [LaneConfiguration], delivery: Delivery, delegate: any MultiDetectorDelegate
    ) {
        self.init(lanes, delivery) { DelegateOutlet($0.detector, delegate) }
    }

    /// The same for lanes whose tracks become the daemon's event lines.
    public convenience init(_ lanes: [LaneConfiguration], events: EventEmitter) {
        self.init(lanes, events.delivery) { events.lane(for: $0) }
    }

    private init(
        _ lanes: [LaneConfiguration], _ delivery: Delivery, outlet: @escaping @Sendable (LanePlan) -> (any LaneOutlet)?
    ) {
        self.lanes = lanes.map { Lane($0, delivery: delivery, outlet: outlet) }
        self.delivery = delivery
    }

    /// What each lane has done so far.
    public var counts: [LaneCounts] { lanes.map(\.counts) }

    /// How long each lane takes. From any thread.
    public var times: [LaneTimes] { lanes.map(\.times) }

    /// Waits until every detector has been loaded, or was found not to be operational.
    public func waitUntilLoaded() {
        for lane in lanes { lane.waitUntilLoaded() }
    }

    public func receive(_ frame: Frame) {
        for lane in lanes { lane.offer(frame) }
        if delivery == .every {
            for lane in lanes { lane.waitUntilDone() }
        }
    }

    /// Puts a detector's focus on a track before its next frame, until the track ends; nil: back to the configured policy. From any thread.
    ///
    /// Other tracks are completed (`focus_changed`). A track that went out of focus may be asked for by the id that it had; it is then
    /// detected anew. A track that is not live is reported (`LaneOutput.Report.focusRefused`), and nothing changes.
    public func requestFocus(detector: String, on id: TrackID?) throws(FocusRequestError) {
        guard let lane = lanes.first(where: { $0.name == detector }) else {
            let names = lanes.map(\.name).joined(separator: ", ")
            throw FocusRequestError("there is no detector \"\(detector)\"; one of \(names)")
        }
        lane.requestFocus(id.map { .track($0) } ?? .policy)
    }

    /// Has a detector's lane go on with another rate, other zones, other tracking rules and, where `replacesDetector` says so, another detector of the
    /// same name from its next frame on. Its tracks live on. The focus, the first id and `explains` stay as they are. From any thread.
    ///
    /// Does nothing when there is no such detector.
    public func change(_ configuration: LaneConfiguration, replacesDetector: Bool) {
        lanes.first { $0.name == configuration.detector.name }?.change(
            to: configuration, replacesDetector: replacesDetector)
    }

    /// Passes a command on to the search session, which takes it with its lane's next frame. From any thread.
    ///
    /// - Throws: when there is no session, or too many commands wait for a frame.
    package func command(_ command: SearchCommand) throws(SearchCommandError) {
        guard let lane = lanes.first(where: \.searches) else {
            throw SearchCommandError(description: "the pipeline has no [search]")
        }
        if !lane.command(command) { throw .tooManyWait }
    }

    /// Ends every track of every lane and waits for it.
    public func completeAll(_ reason: CompletionReason) {
        for lane in lanes { lane.completeAll(reason) }
    }
}

/// A command to a search session that cannot be passed on, in words for whoever gave it.
package struct SearchCommandError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String

    package static let tooManyWait = SearchCommandError(description: "too many commands wait for a frame")
}
