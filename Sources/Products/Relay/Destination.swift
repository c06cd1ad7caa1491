// SPDX-License-Identifier: Apache-2.0
import Dispatch
import GlimpseClient
import Settings
import Synchronization

/// A destination of the relay: a thread of its own, its end, and its state for the control socket.
package final class Destination: Sendable {
    /// The values that all destinations of a relay share.
    package struct Context: Sendable {
        package var events: String
        /// The daemon's control socket.
        package var daemonControl: String
        package var stateDirectory: String
        package var box: String
        package var log: RelayLog

        package init(events: String, daemonControl: String, stateDirectory: String, box: String, log: RelayLog) {
            self.events = events
            self.daemonControl = daemonControl
            self.stateDirectory = stateDirectory
            self.box = box
            self.log = log
        }
    }

    let name: String
    let context: Context
    let selection: EventSelection
    /// Wakes the destination's thread.
    let wake = Wake()
    private let state: Mutex<DestinationState>
    private let stopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ name: String, kind: String, _ selection: EventSelection, _ context: Context) {
        self.name = name
        self.context = context
        self.selection = selection
        state = Mutex(DestinationState(name: name, kind: kind))
    }

    // MARK: Life

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// Runs `work` on the destination's thread.
    func start(_ work: @escaping @Sendable (Destination) -> Void) {
        DispatchQueue(label: "relay.\(name)").async {
            work(self)
            self.ended.signal()
        }
    }

    /// Asks for the end: the destination writes its cursor.
    func stop() {
        stopping.store(true, ordering: .relaxed)
        wake.signal()
    }

    /// Waits for the end after `stop`. A destination that does not answer delays it by at most `limit`.
    func wait(_ limit: DispatchTimeInterval) { _ = ended.wait(timeout: .now() + limit) }

    // MARK: State

    /// The state now. Any thread may ask.
    var status: DestinationState { state.withLock { $0 } }

    func update(_ change: (inout DestinationState) -> Void) { state.withLock { change(&$0) } }

    func connected(to address: String) {
        update { state in
            (state.isConnected, state.address, state.error) = (true, address, nil)
        }
    }

    // MARK: Complaints

    /// Logs a problem once, not at every attempt. It is the destination's error until the next connection.
    func complain(_ text: String) {
        let isNew = state.withLock { state in
            defer { state.error = text }
            return state.error != text
        }
        if isNew, !isStopping { context.log(.warning, "\(name): \(text)") }
    }

    /// Counts a message that no attempt would deliver. The log has every one whose count is a power of two.
    func skip(_ reason: String) {
        let skipped = state.withLock { state in
            state.skipped += 1
            return state.skipped
        }
        if skipped.nonzeroBitCount == 1 { complain("skipped \(skipped) messages; the newest: \(reason)") }
    }
}

/// The events that a destination receives.
struct EventSelection: Sendable {
    var types: Set<String>
    /// Names, or patterns with `*` and `?`; empty: all.
    var pipelines: [String]
    /// Empty: all.
    var kinds: [String]
    var updateRate: Double
    var demand: Bool
    var start: DestinationStart

    init(_ settings: some DestinationSettings) {
        types = Set(settings.types)
        pipelines = settings.pipelines
        kinds = settings.kinds.map(\.rawValue).sorted()
        (updateRate, demand, start) = (settings.updateRate, settings.demand, settings.start)
    }

    /// The events that the cursor counts. The relay selects types itself, because a daemon that does not know a type
    /// refuses the whole request.
    var filter: Filter {
        let wantsUpdates = !types.isDisjoint(with: ["update", "missing"])
        return Filter(
            pipelines: pipelines.isEmpty ? nil : pipelines, kinds: kinds.isEmpty ? nil : kinds,
            // Leaves out all updates that the daemon may leave out.
            updateRate: wantsUpdates ? updateRate : 0.000001, passive: !demand)
    }
}
