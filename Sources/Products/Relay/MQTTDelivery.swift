// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseClient
import Settings

/// The work of an MQTT destination's thread: one connection after the other.
///
/// Two subscriptions feed it. `EventQueue` supplies `event` and `gap`, and resumes at the cursor. `PresentTopics`
/// supplies the retained topics, which never show the past.
final class MQTTDelivery {
    /// The time for the broker's answer to a connection, and for any acknowledgement.
    private static let patience = Duration.seconds(30)
    /// The longest wait for something to do.
    private static let tick = Duration.seconds(1)
    /// The number of messages outside the window, without acknowledgement, from which on the live subscription waits.
    private static let mostOthers = 1000

    private let settings: MQTTSettings
    private let destination: Destination
    private let topics: TopicNames
    private let queue: EventQueue
    private let present: PresentTopics
    private let discovery: HomeAssistantDiscovery?
    /// In seconds.
    private let expiry: UInt32
    private let liveExpiry: UInt32
    private var pacer: Pacer
    private var backOff = BackOffDelays()
    /// The protocol's version for the next attempt.
    private var isVersionFive: Bool
    /// The events under way on this connection: the message's id, and the window's ticket.
    private var tickets: [Int32: UInt64] = [:]
    /// The number of other messages under way on this connection.
    private var others = 0

    init(_ settings: MQTTSettings, _ destination: Destination) {
        self.settings = settings
        self.destination = destination
        topics = TopicNames(prefix: settings.prefix, box: destination.context.box)
        queue = EventQueue(destination, .messages(topics))
        discovery =
            settings.discovery == .none
            ? nil
            : HomeAssistantDiscovery(
                prefix: settings.discoveryPrefix, topics: topics, box: destination.context.box, types: settings.types,
                hasPictures: settings.pictures)
        present = PresentTopics(
            destination, topics, discovery, settings.pictures ? BestPictures(destination) : nil)
        liveExpiry = UInt32(clamping: Int64(settings.liveAge / .seconds(1)))
        expiry = UInt32(clamping: Int64(settings.expiry / .seconds(1)))
        pacer = Pacer(rate: settings.replayRate, at: .now)
        isVersionFive = settings.version != .three
    }

    // MARK: Life

    func run() {
        var attempt = 0
        while !destination.isStopping {
            let address = settings.addresses[attempt % settings.addresses.count]
            attempt += 1
            do throws(MQTTError) {
                try session(address)
            } catch {
                destination.complain("\(address.text): \(error)")
            }
            destination.update { $0.isConnected = false }
            present.disconnected()
            (tickets, others) = ([:], 0)
            queue.connectionLost()
            if !destination.isStopping { pause(backOff.next()) }
        }
        queue.stop()
    }

    /// One connection, until it breaks or the relay stops.
    private func session(_ address: MQTTAddress) throws(MQTTError) {
        let connection = try MQTTConnection(options(address))
        do throws(MQTTError) {
            try waitForAnswer(connection)
        } catch {
            // A broker without MQTT 5 answers in many ways, or closes the connection.
            if settings.version == .auto { isVersionFive.toggle() }
            throw error
        }
        backOff.reset()
        defer { isVersionFive = settings.version != .three }
        destination.connected(to: address.text)
        destination.context.log(
            .notice, "\(settings.name): connected to \(address.text) with MQTT \(isVersionFive ? "5" : "3.1.1")")
        if let discovery { try connection.subscribe(discovery.statusTopic) }
        present.connected()
        try serve(connection)
    }

    private func options(_ address: MQTTAddress) throws(MQTTError) -> MQTTConnection.Options {
        var options = MQTTConnection.Options(
            host: address.host, port: address.port,
            clientID: "glimpse-\(TopicNames.level(destination.context.box))-\(settings.name)")
        options.isEncrypted = address.isEncrypted
        options.user = settings.user
        do throws(PasswordProblem) {
            options.password = try settings.password?.read("password", of: settings.name, place: .relay) { name in
                getenv(name).map { String(cString: $0) }
            }
        } catch {
            throw MQTTError(description: error.description)
        }
        (options.certificates, options.clientCertificate) = (settings.certificates, settings.clientCertificate)
        options.clientKey = settings.clientKey
        options.isVersionFive = isVersionFive
        options.will = (topics.boxStatus, "offline")
        options.sendLimit = queue.limit
        return options
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
        var progress = ContinuousClock.now
        while !destination.isStopping {
            let now = ContinuousClock.now
            if others < Self.mostOthers { try publishPresent(connection, now) }
            queue.fill()
            let isPaced = try publishEvents(connection, now)
            queue.storeCursorIfDue(now)
            // A wake follows every new event, and the socket every acknowledgement.
            let wait = isPaced ? min(pacer.wait, Self.tick) : Self.tick
            let isIdle = tickets.isEmpty && others == 0
            if try take(connection.step(wait, wake: destination.wake)) || isIdle { progress = .now }
            guard ContinuousClock.now - progress < Self.patience else {
                throw MQTTError(description: "the broker acknowledges nothing")
            }
        }
        try finish(connection)
    }

    /// - Returns: whether the broker acknowledged a message.
    private func take(_ reports: [MQTTConnection.Report]) throws(MQTTError) -> Bool {
        var (hasProgress, sent) = (false, 0 as UInt64)
        for report in reports {
            switch report {
            case .acknowledged(let id, let reason):
                hasProgress = true
                guard let ticket = tickets.removeValue(forKey: id) else {
                    others -= 1
                    continue
                }
                if reason < 128 {
                    sent += 1
                } else {
                    destination.skip("the broker refused the message (reason code \(reason))")
                }
                queue.finished(ticket)
            case .disconnected: throw MQTTError(description: "the broker closed the connection")
            case .received(discovery?.statusTopic, let payload) where payload == Array("online".utf8):
                present.repeatAll()
            case .answered, .received: break
            }
        }
        if sent > 0 { destination.update { $0.sent += sent } }
        return hasProgress
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

    /// Waits before the next attempt. Events come meanwhile, so that a new destination has its cursor.
    private func pause(_ duration: Duration) {
        let deadline = ContinuousClock.now + duration
        while !destination.isStopping, ContinuousClock.now < deadline {
            queue.fill()
            destination.wake.wait(deadline - .now)
        }
    }

    // MARK: Messages

    /// Publishes what has changed, and the events of now on `live` and `barcode`. These messages are not durable: the
    /// `event` topic has the events too.
    private func publishPresent(_ connection: MQTTConnection, _ now: ContinuousClock.Instant) throws(MQTTError) {
        let events = present.take(now)
        while let message = present.next() {
            try publish(connection, message.topic, message.payload, isRetained: true)
        }
        for event in events {
            if let type = event.type, destination.selection.types.contains(type) {
                pacer.eventArrived(at: now)
                if discovery != nil, let pipeline = event.pipeline, event.isYounger(than: settings.liveAge) {
                    let payload = EventMessage.payload(event, type: type)
                    try publish(connection, topics.live(pipeline), payload, isRetained: false, expiry: liveExpiry)
                }
            }
            guard case .track(let track) = event.content, track.phase == .detected,
                let payload = track.barcode.flatMap(EventMessage.barcode)
            else { continue }
            try publish(connection, topics.barcode(track.pipeline), payload, isRetained: false)
        }
    }

    private func publish(
        _ connection: MQTTConnection, _ topic: String, _ payload: [UInt8], isRetained: Bool,
        expiry: UInt32? = nil
    ) throws(MQTTError) {
        do throws(MQTTError) {
            _ = try connection.publish(topic, payload, isRetained: isRetained, expiry: expiry)
            others += 1
        } catch {
            guard error.isAboutMessage else { throw error }
            destination.skip(error.description)
        }
    }

    /// - Returns: whether messages wait for their turn.
    private func publishEvents(
        _ connection: MQTTConnection, _ now: ContinuousClock.Instant
    ) throws(MQTTError) -> Bool {
        while queue.hasNext {
            guard pacer.takeTurn(at: now) else { return true }
            guard let (ticket, message) = queue.next() else { break }
            do throws(MQTTError) {
                let id = try connection.publish(
                    message.topic, message.payload, isRetained: false, expiry: expiry, position: message.position)
                tickets[id] = ticket
            } catch {
                guard error.isAboutMessage else { throw error }
                destination.skip(error.description)
                queue.finished(ticket)
            }
        }
        return false
    }
}
