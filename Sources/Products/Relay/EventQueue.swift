// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import Settings

/// The events of a destination from the daemon's journal to their acknowledgement: the durable subscription, the window
/// and the cursor's file. Only the destination's thread uses it.
final class EventQueue {
    private static let cursorInterval = Duration.seconds(1)

    private let destination: Destination
    private let form: EventForm
    private let cursorFile: CursorFile
    private let reader: DurableReader
    private var window: DeliveryWindow
    private var storedCursor: Position?
    private var cursorDue = ContinuousClock.now
    /// The daemon's run, from `hello`.
    private var runID: String?

    /// - Parameter limit: the highest number of messages without acknowledgement.
    init(_ destination: Destination, _ form: EventForm, limit: Int = 200) {
        self.destination = destination
        self.form = form
        cursorFile = CursorFile(folder: destination.context.stateDirectory, destination: destination.name)
        do throws(DurableFile.Failure) {
            storedCursor = try cursorFile.load()
        } catch {
            destination.context.log(.error, "\(destination.name): \(error): it begins as for the first time")
        }
        window = DeliveryWindow(limit: limit, cursor: storedCursor)
        let first = destination.selection.start == .oldest ? Position(sequence: 0) : nil
        reader = DurableReader(destination, after: storedCursor ?? first)
        let queue = reader.queue
        destination.update { $0.queue = queue }
        report()
    }

    /// The highest number of messages without acknowledgement.
    var limit: Int { window.limit }
    /// The number of messages without acknowledgement.
    var count: Int { window.count }
    /// Whether `next` has a message.
    var hasNext: Bool { window.hasNext }

    func next() -> (ticket: UInt64, message: DeliveryWindow.Message)? { window.next() }

    /// The destination acknowledged the message, or refused it for good.
    func finished(_ ticket: UInt64) { window.finished(ticket) }

    /// Every message without acknowledgement is due again.
    func connectionLost() {
        window.connectionLost()
        storeCursor()
    }

    func stop() {
        reader.stop()
        storeCursor()
    }

    // MARK: From the journal

    /// Moves events from the stream into the window, as far as it has room.
    func fill() {
        for event in reader.queue.take(window.limit - window.count) {
            switch event.content {
            case .hello(let hello): begin(hello)
            case .gap(let gap): append(gap, event)
            case .refused(let reason): destination.complain("the daemon refuses: \(reason)")
            default:
                guard let position = event.position, let type = event.type else { continue }
                if destination.selection.types.contains(type) {
                    window.append(form.message(event, type: type, position: position))
                } else {
                    window.passed(position)
                }
                reader.position = position
            }
        }
        report()
    }

    private func begin(_ hello: Hello) {
        runID = hello.runID
        // The cursor of a new destination begins here, also if the relay dies before the first event.
        guard window.cursor == nil, destination.selection.start == .now else { return }
        window.passed(Position(runID: hello.runID, sequence: hello.nextSequence - min(1, hello.nextSequence)))
        storeCursor()
    }

    private func append(_ gap: Gap, _ event: Event) {
        let before = reader.position
        let end = gap.to.map { Position(runID: runID, sequence: $0) }
        // A gap without an end is what an earlier run had after the cursor.
        let message = form.message(
            gap, event, run: gap.to == nil ? before?.runID : runID, after: before?.sequence,
            types: destination.selection.types, position: end)
        if let message {
            window.append(message)
        } else if let end {
            window.passed(end)
        }
        if let end { reader.position = end }
    }

    // MARK: Cursor

    func storeCursorIfDue(_ now: ContinuousClock.Instant) { if now >= cursorDue { storeCursor() } }

    func storeCursor() {
        cursorDue = .now + Self.cursorInterval
        report()
        guard let cursor = window.cursor, cursor != storedCursor else { return }
        do throws(DurableFile.Failure) {
            try cursorFile.store(cursor)
            storedCursor = cursor
        } catch {
            destination.complain("\(error): after a crash, events since the last write are sent again")
        }
    }

    /// Shows the window in the destination's state.
    private func report() {
        let (count, cursor, position) = (window.count, window.cursor, reader.position)
        destination.update { state in
            (state.windowCount, state.cursor, state.position) = (count, cursor, position)
        }
    }
}
