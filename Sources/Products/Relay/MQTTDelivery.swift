import Glibc
import GlimpseClient
import Settings

/// The work of a destination's thread: one connection after the other, and the state that outlives them.
///
/// Two subscriptions feed it. The durable one resumes at the cursor and supplies `event` and `gap`. The live one begins
/// anew with each connection and supplies the retained topics, so they never show the past.
final class MQTTDelivery {
    private static let cursorInterval = Duration.seconds(1)
    /// The time for the broker's answer to a connection, and for any acknowledgement.
    private static let patience = Duration.seconds(30)

    private let destination: MQTTDestination
    private let topics: TopicNames
    private let cursorFile: CursorFile
    private let topicsFile: DurableFile
    private let types: Set<String>
    private let log: RelayLog
    private var window: DeliveryWindow
    private var retained: RetainedTopics
    private var pacer: Pacer
    private var backOff = BackOffDelays()
    private var storedCursor: Position?
    private var storedTopics: Set<String> = []
    private var cursorDue = ContinuousClock.now
    private var durable: DurableReader?
    private var live: LiveReader?
    private var state: LiveState
    /// The protocol's version for the next attempt.
    private var isVersionFive: Bool
    private var lastComplaint = ""
    /// The daemon's run, from `hello` of the durable subscription.
    private var runID: String?
    private var refused: UInt64 = 0

    init(_ destination: MQTTDestination) {
        let (settings, context) = (destination.settings, destination.context)
        self.destination = destination
        topics = TopicNames(prefix: settings.prefix, box: context.box)
        cursorFile = CursorFile(folder: context.stateDirectory, destination: settings.name)
        topicsFile = DurableFile("\(context.stateDirectory)/\(settings.name).topics")
        types = Set(settings.types)
        log = context.log
        pacer = Pacer(rate: settings.replayRate, at: .now)
        state = LiveState(pipelines: settings.pipelines, kinds: settings.kinds.map(\.rawValue))
        isVersionFive = settings.version != .three
        window = DeliveryWindow()
        retained = RetainedTopics()
    }

    // MARK: Life

    func run() {
        load()
        var attempt = 0
        while !destination.isStopping {
            let address = destination.settings.addresses[attempt % destination.settings.addresses.count]
            attempt += 1
            do throws(MQTTError) {
                try session(address)
            } catch {
                complain("\(address.text): \(error)")
            }
            live?.stop()
            live = nil
            window.connectionLost()
            storeCursor()
            if !destination.isStopping { pause(backOff.next()) }
        }
        durable?.stop()
        storeCursor()
    }

    private func load() {
        do throws(DurableFile.Failure) {
            let cursor = try cursorFile.load()
            storedCursor = cursor
            window = DeliveryWindow(cursor: cursor)
            storedTopics = Set(
                String(decoding: try topicsFile.read() ?? [], as: UTF8.self).split(separator: "\n").map(String.init))
            retained = RetainedTopics(known: storedTopics)
        } catch {
            log(.error, "\(destination.settings.name): \(error): it begins as for the first time")
        }
        let first = destination.settings.start == .oldest ? Position(sequence: 0) : nil
        durable = DurableReader(destination, after: window.cursor ?? first)
    }

    /// One connection, until it breaks or the relay stops.
    private func session(_ address: MQTTAddress) throws(MQTTError) {
        var options = MQTTConnection.Options(
            host: address.host, port: address.port,
            clientID: "glimpse-\(TopicNames.level(destination.context.box))-\(destination.settings.name)")
        let settings = destination.settings
        options.isEncrypted = address.isEncrypted
        options.user = settings.user
        do throws(PasswordProblem) {
            options.password = try settings.password?.read("password", of: settings.name, place: .brokers) { name in
                getenv(name).map { String(cString: $0) }
            }
        } catch {
            throw MQTTError(description: error.description)
        }
        (options.certificates, options.clientCertificate) = (settings.certificates, settings.clientCertificate)
        options.clientKey = settings.clientKey
        options.isVersionFive = isVersionFive
        options.will = (topics.boxStatus, "offline")
        options.sendLimit = window.limit
        let connection = try MQTTConnection(options)
        do throws(MQTTError) {
            try waitForAnswer(connection)
        } catch {
            // A broker without MQTT 5 answers in many ways, or closes the connection.
            if settings.version == .auto { isVersionFive.toggle() }
            throw error
        }
        backOff.reset()
        defer { isVersionFive = settings.version != .three }
        lastComplaint = ""
        log(.notice, "\(settings.name): connected to \(address.text) with MQTT \(isVersionFive ? "5" : "3.1.1")")
        retained.connected()
        live = LiveReader(destination)
        try serve(connection)
    }

    private func waitForAnswer(_ connection: MQTTConnection) throws(MQTTError) {
        let deadline = ContinuousClock.now + Self.patience
        while !destination.isStopping {
            for report in try connection.step(.seconds(1), wake: destination.wake) {
                switch report {
                case .answered(0): return
                case .answered(let reason): throw connection.refusal(reason)
                case .disconnected: throw MQTTError(description: "the broker closed the connection")
                default: break
                }
            }
            guard ContinuousClock.now < deadline else { throw MQTTError(description: "the broker does not answer") }
        }
        throw MQTTError(description: "stopped")
    }

    private func serve(_ connection: MQTTConnection) throws(MQTTError) {
        var tickets: [Int32: UInt64] = [:]
        var progress = ContinuousClock.now
        while !destination.isStopping {
            let now = ContinuousClock.now
            takeLive(now)
            try publishRetained(connection)
            takeDurable()
            let isPaced = try publishEvents(connection, &tickets, now)
            if now >= cursorDue { storeCursor() }
            // A wake follows every new event, and the socket every acknowledgement.
            let wait = isPaced ? min(pacer.wait, Self.cursorInterval) : Self.cursorInterval
            for report in try connection.step(wait, wake: destination.wake) {
                switch report {
                case .acknowledged(let id, let reason):
                    progress = .now
                    guard let ticket = tickets.removeValue(forKey: id) else { continue }
                    if reason >= 128 { skip("the broker refuses it, reason \(reason)") }
                    window.finished(ticket)
                case .disconnected: throw MQTTError(description: "the broker closed the connection")
                case .answered, .received: break
                }
            }
            if tickets.isEmpty { progress = .now }
            guard ContinuousClock.now - progress < Self.patience else {
                throw MQTTError(description: "the broker acknowledges nothing")
            }
        }
        try finish(connection)
    }

    /// Tells the broker that the box is offline, and waits until it knows.
    private func finish(_ connection: MQTTConnection) throws(MQTTError) {
        let last = try connection.publish(topics.boxStatus, Array("offline".utf8), isRetained: true)
        let deadline = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < deadline {
            let reports = try connection.step(.milliseconds(100), wake: destination.wake)
            if reports.contains(where: { if case .acknowledged(last, _) = $0 { true } else { false } }) { break }
        }
        connection.disconnect()
        // Sends the farewell; the end of the connection is no error.
        _ = try? connection.step(.zero, wake: destination.wake)
    }

    // MARK: Retained topics

    private func takeLive(_ now: ContinuousClock.Instant) {
        guard let events = live?.take() else { return }
        for event in events {
            if let type = event.type, types.contains(type) { pacer.eventArrived(at: now) }
            publishBarcode(event)
            switch state.take(event) {
            case .none: break
            case .pipeline(let name): set(state.messages(about: name, topics))
            case .all:
                var kept: Set<String> = [topics.boxStatus]
                for name in state.names {
                    let messages = state.messages(about: name, topics)
                    kept.formUnion(messages.map(\.topic))
                    set(messages)
                }
                retained.keep(only: kept)
                set([(topics.boxStatus, "online")])
            case .stale:
                live?.stop()
                live = LiveReader(destination)
                return
            case .lost:
                set(state.names.map { (topics.pipelineStatus($0), "offline") })
            }
        }
    }

    private func set(_ messages: [(topic: String, payload: String)]) {
        for message in messages { retained.set(message.topic, Array(message.payload.utf8)) }
    }

    /// Barcodes that are read now. They are not durable: the `event` topic has them too.
    private var barcodes: [(topic: String, payload: [UInt8])] = []

    private func publishBarcode(_ event: Event) {
        guard case .track(let track) = event.content, track.phase == .detected, barcodes.count < 64,
            let payload = track.barcode.flatMap(EventMessage.barcode)
        else { return }
        barcodes.append((topics.barcode(track.pipeline), payload))
    }

    private func publishRetained(_ connection: MQTTConnection) throws(MQTTError) {
        if retained.known != storedTopics { storeTopics() }
        while let message = retained.next() {
            try publish(connection, message.topic, message.payload, isRetained: true)
        }
        for message in barcodes { try publish(connection, message.topic, message.payload, isRetained: false) }
        barcodes = []
    }

    private func publish(
        _ connection: MQTTConnection, _ topic: String, _ payload: [UInt8], isRetained: Bool
    ) throws(MQTTError) {
        do throws(MQTTError) {
            _ = try connection.publish(topic, payload, isRetained: isRetained)
        } catch {
            guard error.isAboutMessage else { throw error }
            skip(error.description)
        }
    }

    // MARK: Events

    /// Moves events from the stream into the window, as far as it has room.
    private func takeDurable() {
        guard let durable else { return }
        for event in durable.take(window.limit - window.count) {
            switch event.content {
            case .hello(let hello):
                runID = hello.runID
                // The cursor of a new destination begins here, also if the relay dies before the first event.
                guard window.cursor == nil, destination.settings.start == .now else { continue }
                window.passed(Position(runID: hello.runID, sequence: hello.nextSequence - min(1, hello.nextSequence)))
                storeCursor()
            case .gap(let gap): append(gap)
            case .refused(let reason): complain("the daemon refuses: \(reason)")
            default:
                guard let position = event.position, let type = event.type else { continue }
                if types.contains(type) {
                    let topic = event.pipeline.map(topics.event) ?? "\(topics.root)/event"
                    window.append(
                        .init(topic: topic, payload: EventMessage.payload(event, type: type), position: position))
                } else {
                    window.passed(position)
                }
                durable.position = position
            }
        }
    }

    private func append(_ gap: Gap) {
        let before = durable?.position
        // A gap without an end is what an earlier run had after the cursor.
        let payload = EventMessage.gap(
            gap, run: gap.to == nil ? before?.runID : runID, after: before?.sequence, types: types)
        let end = gap.to.map { Position(runID: runID, sequence: $0) }
        if let payload {
            window.append(.init(topic: topics.gap, payload: payload, position: end))
        } else if let end {
            window.passed(end)
        }
        if let end { durable?.position = end }
    }

    /// - Returns: whether messages wait for their turn.
    private func publishEvents(
        _ connection: MQTTConnection, _ tickets: inout [Int32: UInt64], _ now: ContinuousClock.Instant
    ) throws(MQTTError) -> Bool {
        let expiry = UInt32(clamping: Int64(destination.settings.expiry / .seconds(1)))
        while window.hasNext {
            guard pacer.takeTurn(at: now) else { return true }
            guard let (ticket, message) = window.next() else { break }
            do throws(MQTTError) {
                let id = try connection.publish(
                    message.topic, message.payload, isRetained: false, expiry: expiry, position: message.position)
                tickets[id] = ticket
            } catch {
                guard error.isAboutMessage else { throw error }
                skip(error.description)
                window.finished(ticket)
            }
        }
        return false
    }

    // MARK: Files and complaints

    private func storeCursor() {
        cursorDue = .now + Self.cursorInterval
        guard let cursor = window.cursor, cursor != storedCursor else { return }
        do throws(DurableFile.Failure) {
            try cursorFile.store(cursor)
            storedCursor = cursor
        } catch {
            complain("\(error): after a crash, events since the last write are sent again")
        }
    }

    private func storeTopics() {
        storedTopics = retained.known
        do throws(DurableFile.Failure) {
            try topicsFile.write(Array(storedTopics.sorted().map { $0 + "\n" }.joined().utf8))
        } catch {
            complain("\(error)")
        }
    }

    /// A message that no attempt would deliver.
    private func skip(_ reason: String) {
        refused += 1
        if refused.isPowerOfTwo { complain("skipped \(refused) messages; the newest: \(reason)") }
    }

    /// Logs a problem once, not at every attempt.
    private func complain(_ text: String) {
        guard text != lastComplaint, !destination.isStopping else { return }
        lastComplaint = text
        log(.warning, "\(destination.settings.name): \(text)")
    }

    private func pause(_ duration: Duration) {
        let deadline = ContinuousClock.now + duration
        while !destination.isStopping, ContinuousClock.now < deadline {
            var descriptor = pollfd(fd: destination.wake.descriptor, events: Int16(POLLIN), revents: 0)
            let rest = max(.zero, deadline - .now) / .milliseconds(1)
            if poll(&descriptor, 1, Int32(clamping: Int64(rest.rounded(.up)))) > 0 { destination.wake.reset() }
        }
    }
}

/// The delays between connections to brokers: from 100 ms, twice as long each time, to 30 s. Half of a delay is random,
/// so that many boxes do not return to a broker at one moment.
struct BackOffDelays {
    private var delay = Duration.milliseconds(100)

    mutating func next() -> Duration {
        defer { delay = min(delay * 2, .seconds(30)) }
        return delay * Double.random(in: 0.5...1)
    }

    mutating func reset() { delay = .milliseconds(100) }
}

extension UInt64 {
    fileprivate var isPowerOfTwo: Bool { nonzeroBitCount == 1 }
}
