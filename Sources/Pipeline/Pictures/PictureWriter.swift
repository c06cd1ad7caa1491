// SPDX-License-Identifier: Apache-2.0
import Confinement
import Dispatch
import Frames
import LogSupport
import Observations
import PictureEncoding
import PictureStorage
import Synchronization

/// Encodes a pipeline's pictures and writes them on its own queue, so that no lane waits. Any thread may use it.
///
/// The pictures waiting for the store are bounded in number and bytes. A picture without room is refused and counted.
/// The requesters bound the number of pictures in their own files.
package final class PictureWriter: Sendable {
    /// A completely written picture.
    package struct Stored: Sendable, Equatable {
        package var path: String
        package var picture: PictureEncoder.Picture
    }

    /// The reason of a failure, for people.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    package struct Limits: Sendable {
        package var count = 16
        package var bytes = 64 << 20

        package init(count: Int = 16, bytes: Int = 64 << 20) {
            self.count = count
            self.bytes = bytes
        }
    }

    private struct State {
        var bytes = 0
        var metrics = MetricValues<PictureMetric>()
        var complaints = ComplaintLimiter()
    }

    /// The interval between deletions of old pictures.
    private static let tidying = DispatchTimeInterval.seconds(60)

    private let limits: Limits
    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let store: Confined<PictureStore>?
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - store: nil if only pictures in requesters' files are written.
    ///   - complain: takes a message for people, at most one per second. Called on any thread.
    package init(
        _ store: sending PictureStore?, limits: Limits = Limits(), complain: @escaping @Sendable (String) -> Void
    ) {
        let queue = DispatchQueue(label: "pictures", qos: .utility)
        self.queue = queue
        self.limits = limits
        if let store { self.store = Confined(store, to: queue) } else { self.store = nil }
        self.complain = complain
        if self.store != nil { tidyLater() }
    }

    package var hasStore: Bool { store != nil }

    private func tidyLater() {
        queue.asyncAfter(deadline: .now() + Self.tidying) { [weak self] in
            guard let self else { return }
            store?.with { $0.tidy() }
            countDeleted()
            tidyLater()
        }
    }

    private func countDeleted() {
        guard let deleted = store?.with({ $0.evicted }) else { return }
        state.withLock { $0.metrics[.deleted] = UInt64(deleted) }
    }

    /// The metrics of pictures for the store.
    package var metrics: MetricValues<PictureMetric> { state.withLock { $0.metrics } }

    /// Requests a picture.
    ///
    /// - Parameter done: called once, on the writer's queue; not called if the result is false.
    /// - Returns: whether the queue has room for the job.
    package func take(_ job: PictureJob, done: @escaping @Sendable (Result<Stored, Failure>) -> Void) -> Bool {
        guard case .store = job.place else {
            queue.async { [self] in done(make(job)) }
            return true
        }
        let isTaken = state.withLock { state in
            let waiting = state.metrics[.waiting]
            guard waiting < limits.count, waiting == 0 || state.bytes + job.memory <= limits.bytes else {
                state.metrics[.refused] += 1
                return false
            }
            state.metrics[.waiting] += 1
            state.bytes += job.memory
            return true
        }
        guard isTaken else {
            tell { "pictures: \($0[.refused]) refused so far: the queue is full" }
            return false
        }
        queue.async { [self] in
            let result = make(job)
            if case .failure(let failure) = result { tell { _ in "pictures: \(failure)" } }
            state.withLock { state in
                state.metrics[.waiting] -= 1
                state.bytes -= job.memory
                if case .success = result { state.metrics[.written] += 1 } else { state.metrics[.failed] += 1 }
            }
            countDeleted()
            done(result)
        }
        return true
    }

    /// Deletes a picture that no event line has named.
    package func discard(_ name: String) {
        queue.async { [store] in store?.with { $0.discard(name) } }
    }

    /// Waits until all earlier requests are finished.
    ///
    /// - Returns: false if the time is up first.
    @discardableResult
    package func wait(_ limit: DispatchTimeInterval) -> Bool {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        return done.wait(timeout: .now() + limit) == .success
    }

    private func make(_ job: PictureJob) -> Result<Stored, Failure> {
        do {
            let picture = try PictureEncoder.encode(job.picture, job.form)
            return .success(Stored(path: try write(picture, job), picture: picture))
        } catch {
            return .failure(Failure(description: "\(error)"))
        }
    }

    /// Writes the metadata before the picture, because the picture's name appears only when everything is complete.
    private func write(_ picture: PictureEncoder.Picture, _ job: PictureJob) throws -> String {
        let metadata = job.metadata(picture)
        switch job.place {
        case .store(let name):
            guard let store else { throw Failure(description: "no folder for pictures of tracks is set") }
            return try store.with { store throws(PictureError) in
                try store.add(name, jpeg: picture.bytes, metadata: metadata)
            }
        case .file(let path):
            try PictureFile.write(metadata, to: path.dropLast(".jpg".count) + ".json", isSynced: false)
            try PictureFile.write(picture.bytes, to: path)
            return path
        }
    }

    private func tell(_ words: (MetricValues<PictureMetric>) -> String) {
        let line = state.withLock { state in state.complaints.count(at: .now) ? words(state.metrics) : nil }
        if let line { complain("warning: \(line)") }
    }
}
