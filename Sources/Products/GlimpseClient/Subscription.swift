// SPDX-License-Identifier: Apache-2.0
/// The daemon's events as an asynchronous sequence. The sequence resumes at its last position after the daemon or the
/// connection was gone.
///
/// ```swift
/// for await event in Subscription(filter: Filter(kinds: ["barcode"], types: ["detected"])) {
///     if case .track(let track) = event.content { print(track.barcode?.display ?? "?") }
/// }
/// ```
///
/// Each iteration has its own connection. The iteration ends when its task is cancelled. It also ends after a
/// `.refused` that rejects the request, a filter or a position, so that no subscriber receives what its filter should
/// exclude.
///
/// The iteration never throws. `Event.Content.disconnected` reports a lost connection, and `.gap` reports events that
/// the daemon's journal no longer has.
///
/// After a lost connection the next one requests the events after the last line read. The line may be of the daemon's
/// current run or of the run before. A connection refused by limits or allow-lists yields `.refused`, then
/// `.disconnected`, and is retried.
///
/// The iterator reads at most one block of 64 KiB ahead. A slow consumer is therefore a slow subscriber: the daemon
/// coalesces its updates and keeps all other events in the journal. Memory is bounded by that block and one line (at
/// most 1 MiB; the daemon's lines have at most 64 KiB).
public struct Subscription: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Event
    /// The iteration never throws.
    public typealias Failure = Never

    /// The path of the daemon's socket unless its configuration sets another.
    public static let defaultSocket = "/run/glimpsed/events.sock"

    /// The path of the daemon's event socket; at most 107 bytes.
    public var socket: String
    /// The filter that each connection sends.
    public var filter: Filter
    /// The start position; nil starts with the next event.
    public var position: Position?
    /// The delays before further connections.
    public var backOff: BackOff
    /// `false` ends the sequence after the first `.disconnected`.
    public var reconnects: Bool
    /// Whether lines of the log have the content `.other`, so that they need not be decoded.
    package var readsHeadsOnly = false

    /// Makes a subscription. The first call of an iterator connects.
    ///
    /// - Parameters:
    ///   - socket: the path of the daemon's event socket; at most 107 bytes.
    ///   - filter: selects events; an empty filter selects all.
    ///   - position: resumes after this position; nil starts with the next event.
    ///   - backOff: the delays between attempts to connect.
    ///   - reconnects: false ends the sequence after the first `.disconnected`.
    public init(
        socket: String = Subscription.defaultSocket, filter: Filter = Filter(), after position: Position? = nil,
        backOff: BackOff = BackOff(), reconnects: Bool = true
    ) {
        self.socket = socket
        self.filter = filter
        self.position = position
        self.backOff = backOff
        self.reconnects = reconnects
    }

    /// Makes an iterator with a connection of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Only one task at a time may use an iterator.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: Subscription
        private var resumeState: ResumeState
        private var delays: BackOff.Delays
        private var connection: Connection?
        private var lines = LineCutter()
        /// Whether `hello` has arrived. A later refusal rejects the request, not the connection.
        private var isAdmitted = false
        /// The delay before the next connection.
        private var delay: Duration?
        private(set) var isOver = false

        fileprivate init(_ subscription: Subscription) {
            self.subscription = subscription
            resumeState = ResumeState(filter: subscription.filter, position: subscription.position)
            delays = BackOff.Delays(subscription.backOff)
        }

        /// The next event. Returns nil after the task is cancelled, after the last event of a subscription that does
        /// not reconnect, and after a refused request.
        public mutating func next() async -> Event? {
            while !Task.isCancelled, !isOver {
                if let connection {
                    if let event = await receive(connection) { return event }
                } else if let event = await connect() {
                    return event
                }
            }
            connection = nil
            return nil
        }

        /// Asks for a `state` line of the tracks that pass the filter.
        ///
        /// A connection that does not accept the request is closed: the next connection begins with a `state` line.
        mutating func requestState() {
            do throws(Connection.Lost) {
                try connection?.send(Request(state: true).line)
            } catch {
                connection = nil
            }
        }

        /// Returns an event if one is ready. A line may not be for the subscriber, and the connection may have no bytes
        /// yet.
        private mutating func receive(_ connection: Connection) async -> Event? {
            do throws(Connection.Lost) {
                while let line = try lines.next() {
                    guard let event = subscription.readsHeadsOnly ? Event.head(of: line) : Event(line: line) else {
                        throw .init("the daemon sent a line that is not an event")
                    }
                    switch event.content {
                    case .hello:
                        delays.reset()
                        isAdmitted = true
                    case .refused where isAdmitted: isOver = true
                    default: break
                    }
                    if resumeState.take(event) { return event }
                }
                switch try connection.read() {
                case .bytes(let bytes): lines.append(bytes)
                case .nothing: await connection.waitUntilReadable()
                }
                return nil
            } catch {
                return lose(error)
            }
        }

        private mutating func connect() async -> Event? {
            if let delay {
                self.delay = nil
                guard (try? await Task.sleep(for: delay)) != nil else { return nil }
            }
            do throws(Connection.Lost) {
                let connection = try Connection(subscription.socket)
                if let request = resumeState.connected() { try connection.send(request) }
                lines = LineCutter()
                isAdmitted = false
                self.connection = connection
                return nil
            } catch {
                return lose(error)
            }
        }

        private mutating func lose(_ lost: Connection.Lost) -> Event {
            connection = nil
            isOver = !subscription.reconnects
            let wait = delays.next()
            delay = wait
            return Event(
                .disconnected(
                    Disconnection(reason: lost.reason, isForbidden: lost.isForbidden, retryAfter: isOver ? nil : wait)))
        }
    }
}

/// A position in the events of a run.
public struct Position: Sendable, Hashable, Codable {
    /// nil stands for the daemon's current run.
    public var runID: String?
    /// The sequence number of the last event read.
    public var sequence: UInt64

    /// Makes a position. `sequence` is the number of the last event read.
    public init(runID: String? = nil, sequence: UInt64) {
        self.runID = runID
        self.sequence = sequence
    }
}

/// The delays between connection attempts. The delay doubles from `first` to `longest`, with a random variation of 25
/// %.
public struct BackOff: Sendable, Hashable {
    /// The first delay.
    public var first: Duration
    /// The longest delay.
    public var longest: Duration

    /// Makes delays from `first` to `longest`.
    public init(first: Duration = .milliseconds(100), longest: Duration = .seconds(10)) {
        self.first = first
        self.longest = longest
    }

    struct Delays {
        private let backOff: BackOff
        private var delay: Duration

        init(_ backOff: BackOff) {
            self.backOff = backOff
            delay = backOff.first
        }

        mutating func next() -> Duration {
            defer { delay = Swift.min(delay * 2, backOff.longest) }
            return delay * Double.random(in: 0.75...1.25)
        }

        mutating func reset() { delay = backOff.first }
    }
}
