/// The daemon's events as an asynchronous sequence that goes on where it was when the daemon, or the connection to it, was gone.
///
/// ```swift
/// for await event in Subscription(filter: Filter(kinds: ["barcode"], types: ["detected"])) {
///     if case .track(let track) = event.content { print(track.barcode?.display ?? "?") }
/// }
/// ```
///
/// Each iteration has a connection of its own. It ends when its task is cancelled, and after a `.refused` of what was asked for: a filter or a
/// position that the daemon does not take, so that nobody gets what the filter was to keep out. It never ends by an error: what is lost is
/// told by `Event.Content.disconnected` and, where the daemon's journal has moved on, by `.gap`. After a connection was lost the next one
/// asks for what came after the last line that was read, in the same run of the daemon or the one before. A connection that the daemon does
/// not admit (its limits, its allow-lists) is a `.refused`, then a `.disconnected`, and is tried again.
///
/// Nothing is read ahead but one block of 64 KiB: a consumer that is slow is a slow reader to the daemon, which coalesces its updates and
/// keeps everything else in its journal for it. Memory is bounded by that block and one line (1 MiB at most; the daemon's have 64 KiB).
public struct Subscription: AsyncSequence, Sendable {
    public typealias Element = Event
    public typealias Failure = Never

    /// Where the daemon puts its socket unless its configuration says otherwise.
    public static let defaultSocket = "/run/glimpsed/events.sock"

    /// The path of the daemon's event socket; at most 107 bytes.
    public var socket: String
    public var filter: Filter
    /// Where to begin; nil: now.
    public var position: Position?
    public var backOff: BackOff
    /// `false`: the sequence ends after the first `.disconnected`.
    public var reconnects: Bool

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

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Used by one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: Subscription
        private var resumeState: ResumeState
        private var delays: BackOff.Delays
        private var connection: Connection?
        private var lines = LineCutter()
        /// The connection is one: what is refused from then on is what was asked for.
        private var isAdmitted = false
        /// How long to wait before the next connection.
        private var delay: Duration?
        private var isOver = false

        fileprivate init(_ subscription: Subscription) {
            self.subscription = subscription
            resumeState = ResumeState(filter: subscription.filter, position: subscription.position)
            delays = BackOff.Delays(subscription.backOff)
        }

        /// The next event; nil once the task is cancelled, after the last event of a subscription that does not reconnect, and after a
        /// refusal of what was asked for.
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

        /// An event if there is one: a line may be none, and a connection may have nothing yet.
        private mutating func receive(_ connection: Connection) async -> Event? {
            do throws(Connection.Lost) {
                while let line = try lines.next() {
                    guard let event = Event(line: line) else { throw .init("a line that is no event") }
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

/// A place in a run's events.
public struct Position: Sendable, Hashable, Codable {
    /// nil: the run that the daemon is in.
    public var runID: String?
    /// The number of the last event that was read.
    public var sequence: UInt64

    public init(runID: String? = nil, sequence: UInt64) {
        self.runID = runID
        self.sequence = sequence
    }
}

/// How long to wait before a connection is tried again: twice as long each time, from `first` to `longest`, a quarter more or less.
public struct BackOff: Sendable, Hashable {
    public var first: Duration
    public var longest: Duration

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
