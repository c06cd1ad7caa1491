// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

/// The retained topics of a connection to a broker, from a subscription that begins anew with each connection. Only the
/// destination's thread uses it.
final class PresentTopics {
    private let destination: Destination
    private let topics: TopicNames
    /// The topics that may be retained at the broker, one a line.
    private let file: DurableFile
    private var stored: Set<String> = []
    private var retained: RetainedTopics
    private var state: LiveState
    private var reader: LiveReader?
    private let discovery: HomeAssistantDiscovery?
    /// nil: no pictures are published.
    private let pictures: BestPictures?
    /// The pipelines whose discovery is published.
    private var outlines: [String: PipelineOutline] = [:]
    /// The time to remove the topics of entities that Home Assistant has forgotten.
    private var removalDue: ContinuousClock.Instant?

    init(
        _ destination: Destination, _ topics: TopicNames, _ discovery: HomeAssistantDiscovery?,
        _ pictures: BestPictures?
    ) {
        self.discovery = discovery
        self.pictures = pictures
        self.destination = destination
        self.topics = topics
        file = DurableFile("\(destination.context.stateDirectory)/\(destination.name).topics")
        do throws(DurableFile.Failure) {
            stored = Set(String(decoding: try file.read() ?? [], as: UTF8.self).split(separator: "\n").map(String.init))
        } catch {
            destination.context.log(.error, "\(destination.name): \(error): topics of earlier processes may stay")
        }
        retained = RetainedTopics(known: stored)
        let earlier = stored
        state = LiveState(pipelines: destination.selection.pipelines, kinds: destination.selection.kinds) {
            topics.kinds(of: $0, among: earlier)
        }
    }

    func connected() {
        retained.connected()
        reader = LiveReader(destination)
    }

    func disconnected() {
        reader?.stop()
        reader = nil
    }

    /// Home Assistant has started: publishes discovery and states again.
    func repeatAll() { retained.repeatAll { discovery?.isConfiguration($0) ?? false } }

    /// Takes the events since the last call.
    ///
    /// - Returns: the events, oldest first.
    func take(_ now: ContinuousClock.Instant) -> [Event] {
        if let due = removalDue, now >= due {
            removalDue = nil
            retained.keep(only: wanted(discoveries(), states()))
        }
        for name in pictures?.takeChanged() ?? [] { setPicture(name) }
        guard let events = reader?.take() else { return [] }
        for event in events {
            if event.pipeline.map(state.names.contains) == true { pictures?.take(event) }
            switch state.take(event) {
            case .none: break
            case .pipeline(let name):
                discover(name)
                set(state.messages(about: name, topics))
            case .all: setAll(now)
            case .stale:
                removalDue = nil
                reader?.stop()
                reader = LiveReader(destination)
                return events
            case .lost:
                removalDue = nil
                set(state.names.map { (topics.pipelineStatus($0), "offline") })
            }
        }
        return events
    }

    /// Discovery comes before the states, and the box is online after them. A second after its discovery is removed, an
    /// entity's topics are removed too.
    private func setAll(_ now: ContinuousClock.Instant) {
        let (discoveries, states) = (discoveries(), states())
        for name in state.names { outlines[name] = state.outline(of: name) }
        set(discoveries)
        set(states)
        set([(topics.boxStatus, "online")])
        for name in state.names { setPicture(name) }
        let stale = retained.known.subtracting(wanted(discoveries, states))
        let configurations = stale.filter { discovery?.isConfiguration($0) ?? false }
        retained.keep(only: retained.known.subtracting(configurations.isEmpty ? stale : configurations))
        removalDue = configurations.isEmpty ? nil : now + .seconds(1)
    }

    /// The topics that may have a retained message. A picture of an earlier process stays until there is a newer one.
    private func wanted(_ messages: [(topic: String, payload: String)]...) -> Set<String> {
        let best = pictures == nil ? [] : state.names.map(topics.best)
        return Set(messages.joined().map(\.topic) + best + [topics.boxStatus])
    }

    private func setPicture(_ name: String) {
        if let picture = pictures?.newest[name] { retained.set(topics.best(name), picture) }
    }

    private func states() -> [(topic: String, payload: String)] {
        state.names.flatMap { state.messages(about: $0, topics) }
    }

    private func discoveries() -> [(topic: String, payload: String)] {
        guard let discovery else { return [] }
        return [discovery.boxMessage] + state.names.compactMap(state.outline).flatMap(discovery.messages)
    }

    /// Publishes the discovery of a pipeline that has a new part.
    private func discover(_ name: String) {
        guard let discovery, let outline = state.outline(of: name), outlines[name] != outline else { return }
        outlines[name] = outline
        set(discovery.messages(outline))
    }

    private func set(_ messages: [(topic: String, payload: String)]) {
        for message in messages { retained.set(message.topic, Array(message.payload.utf8)) }
    }

    /// The next retained message to publish. Its topic is in the file before.
    func next() -> (topic: String, payload: [UInt8])? {
        if retained.known != stored { store() }
        return retained.next()
    }

    private func store() {
        stored = retained.known
        do throws(DurableFile.Failure) {
            try file.write(Array(stored.sorted().map { $0 + "\n" }.joined().utf8))
        } catch {
            destination.complain("\(error)")
        }
    }
}
