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

    init(_ destination: Destination, _ topics: TopicNames) {
        self.destination = destination
        self.topics = topics
        file = DurableFile("\(destination.context.stateDirectory)/\(destination.name).topics")
        do throws(DurableFile.Failure) {
            stored = Set(String(decoding: try file.read() ?? [], as: UTF8.self).split(separator: "\n").map(String.init))
        } catch {
            destination.context.log(.error, "\(destination.name): \(error): topics of earlier processes may stay")
        }
        retained = RetainedTopics(known: stored)
        state = LiveState(pipelines: destination.selection.pipelines, kinds: destination.selection.kinds)
    }

    func connected() {
        retained.connected()
        reader = LiveReader(destination)
    }

    func disconnected() {
        reader?.stop()
        reader = nil
    }

    /// Takes the events since the last call.
    ///
    /// - Returns: the events, oldest first.
    func take() -> [Event] {
        guard let events = reader?.take() else { return [] }
        for event in events {
            switch state.take(event) {
            case .none: break
            case .pipeline(let name): set(state.messages(about: name, topics))
            case .all: setAll()
            case .stale:
                reader?.stop()
                reader = LiveReader(destination)
                return events
            case .lost: set(state.names.map { (topics.pipelineStatus($0), "offline") })
            }
        }
        return events
    }

    private func setAll() {
        var kept: Set<String> = [topics.boxStatus]
        for name in state.names {
            let messages = state.messages(about: name, topics)
            kept.formUnion(messages.map(\.topic))
            set(messages)
        }
        retained.keep(only: kept)
        set([(topics.boxStatus, "online")])
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
