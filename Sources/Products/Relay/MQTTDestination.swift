import Dispatch
import GlimpseClient
import Settings
import Synchronization

/// Hands the events of one daemon to one MQTT broker, on a thread of its own.
package final class MQTTDestination: Sendable {
    /// The values that all destinations of a relay share.
    package struct Context: Sendable {
        package var events: String
        package var stateDirectory: String
        package var box: String
        package var log: RelayLog

        package init(events: String, stateDirectory: String, box: String, log: RelayLog) {
            self.events = events
            self.stateDirectory = stateDirectory
            self.box = box
            self.log = log
        }
    }

    package let settings: MQTTSettings
    let context: Context
    let wake = Wake()
    private let stopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    package init(_ settings: MQTTSettings, _ context: Context) {
        self.settings = settings
        self.context = context
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    package func start() {
        let queue = DispatchQueue(label: "relay.\(settings.name)")
        queue.async {
            MQTTDelivery(self).run()
            self.ended.signal()
        }
    }

    /// Asks for the end: the broker learns that the box is offline, and the cursor is written.
    package func stop() {
        stopping.store(true, ordering: .relaxed)
        wake.signal()
    }

    /// Waits for the end after `stop`. A broker that does not answer delays it by at most `limit`.
    package func wait(_ limit: DispatchTimeInterval) { _ = ended.wait(timeout: .now() + limit) }

    /// The events that the cursor counts. Types are selected here, because a daemon that does not know a type refuses
    /// the whole request.
    var filter: Filter {
        let wantsUpdates = !Set(settings.types).isDisjoint(with: ["update", "missing"])
        return Filter(
            pipelines: settings.pipelines.isEmpty ? nil : settings.pipelines,
            kinds: settings.kinds.isEmpty ? nil : settings.kinds.map(\.rawValue).sorted(),
            // Leaves out all updates that the daemon may leave out.
            updateRate: wantsUpdates ? settings.updateRate : 0.000001, passive: !settings.demand)
    }
}
