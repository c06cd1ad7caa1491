import Dispatch
import Frames
import GStreamerSource
import Observations
import PictureStorage
import Synchronization
import Telemetry

/// Encodes pictures and puts them into a pipeline's store, on a queue of its own, so that no lane waits. From any thread.
///
/// What waits is bounded by number and bytes; a picture that finds no room is refused, and counted.
package final class PictureDesk: Sendable {
    /// A picture to be: what it shows, and where it goes.
    package struct Order: Sendable {
        /// In memory of its own.
        package var frame: Frame
        package var form: PictureEncoder.Form
        /// In the store.
        package var name: String
        /// What `metadata` says besides, given the picture's size.
        package var metadata: @Sendable (PictureEncoder.Picture) -> [UInt8]

        package init(
            frame: Frame, form: PictureEncoder.Form, name: String,
            metadata: @escaping @Sendable (PictureEncoder.Picture) -> [UInt8]
        ) {
            self.frame = frame
            self.form = form
            self.name = name
            self.metadata = metadata
        }

        /// Of the raw picture; 4:2:0 has half as much chroma as luma.
        var memory: Int { frame.width * frame.height * (frame.format == .gray8 ? 2 : 3) / 2 }
    }

    /// A picture that is whole.
    package struct Stored: Sendable, Equatable {
        package var path: String
        package var picture: PictureEncoder.Picture
    }

    package struct Limits: Sendable {
        package var count = 16
        package var bytes = 64 << 20

        package init(count: Int = 16, bytes: Int = 64 << 20) {
            self.count = count
            self.bytes = bytes
        }
    }

    package struct Counts: Sendable, Equatable {
        /// Taken, and not yet made.
        package var waiting = 0
        package var stored = 0
        /// Found no room in the queue.
        package var refused = 0
        /// No encoder, no disk.
        package var failed = 0
        /// That the store's limits took away.
        package var deleted = 0
    }

    private struct State {
        var bytes = 0
        var counts = Counts()
        var complaints = ComplaintLimiter()
    }

    /// How often what has become too old is looked for.
    private static let tidying = DispatchTimeInterval.seconds(60)

    private let limits: Limits
    private let queue = DispatchQueue(label: "pictures", qos: .utility)
    private let state = Mutex(State())
    private let store: Confined<PictureStore>
    private let complain: @Sendable (String) -> Void

    /// - Parameter complain: takes a line for people, at most one a second. From any thread.
    package init(
        _ store: sending PictureStore, limits: Limits = Limits(), complain: @escaping @Sendable (String) -> Void
    ) {
        self.limits = limits
        self.store = Confined(store)
        self.complain = complain
        tidyLater()
    }

    private func tidyLater() {
        queue.asyncAfter(deadline: .now() + Self.tidying) { [weak self] in
            guard let self else { return }
            store.value.tidy()
            countDeleted()
            tidyLater()
        }
    }

    private func countDeleted() {
        let deleted = store.value.evicted
        state.withLock { $0.counts.deleted = deleted }
    }

    package var counts: Counts { state.withLock { $0.counts } }

    /// Has a picture made.
    ///
    /// - Parameter done: called once, on the desk's queue, with nil when it cannot be made; not called when false is returned.
    /// - Returns: whether there is room for it.
    package func take(_ order: Order, done: @escaping @Sendable (Stored?) -> Void) -> Bool {
        let isTaken = state.withLock { state in
            let waiting = state.counts.waiting
            guard waiting < limits.count, waiting == 0 || state.bytes + order.memory <= limits.bytes else {
                state.counts.refused += 1
                return false
            }
            state.counts.waiting += 1
            state.bytes += order.memory
            return true
        }
        guard isTaken else {
            tell { "pictures: \($0.refused) refused so far: more were asked for than can be written" }
            return false
        }
        queue.async { [self] in
            let stored = make(order)
            state.withLock { state in
                state.counts.waiting -= 1
                state.bytes -= order.memory
                if stored == nil { state.counts.failed += 1 } else { state.counts.stored += 1 }
            }
            countDeleted()
            done(stored)
        }
        return true
    }

    /// Deletes a picture that no line has named.
    package func discard(_ name: String) {
        queue.async { [store] in store.value.discard(name) }
    }

    /// Waits until all that was asked for before is done.
    ///
    /// - Returns: false when it is not within the time.
    @discardableResult
    package func wait(_ limit: DispatchTimeInterval) -> Bool {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        return done.wait(timeout: .now() + limit) == .success
    }

    private func make(_ order: Order) -> Stored? {
        do throws(SourceError) {
            let picture = try PictureEncoder.encode(order.frame, order.form)
            do throws(PictureError) {
                let path = try store.value.add(order.name, jpeg: picture.bytes, metadata: order.metadata(picture))
                return Stored(path: path, picture: picture)
            } catch {
                tell { _ in "pictures: \(error)" }
            }
        } catch {
            tell { _ in "pictures: \(error)" }
        }
        return nil
    }

    private func tell(_ words: (Counts) -> String) {
        let line = state.withLock { state in state.complaints.count(at: .now) ? words(state.counts) : nil }
        if let line { complain("warning: \(line)") }
    }
}

/// A value that one dispatch queue uses.
private final class Confined<Value>: @unchecked Sendable {  // Sound: touched on that queue only.
    let value: Value

    init(_ value: Value) { self.value = value }
}
