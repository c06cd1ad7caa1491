// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Pipelines
import Synchronization

/// A file that its own thread writes, so that `append` never waits for a disk. If the disk fails, the file ends there.
final class TapeFile: Sendable {
    /// The highest number of bytes that wait for the disk.
    static let queueLimit = 16 << 20
    /// The number of bytes from which on the thread writes without further delay.
    private static let batch = 128 << 10
    /// The longest delay of a write, and thus the longest loss by a kill.
    private static let patience = DispatchTimeInterval.milliseconds(500)
    /// The longest wait for the disk at the end.
    private static let closingPatience = DispatchTimeInterval.seconds(10)

    private struct State {
        var waiting: [UInt8] = []
        var isClosed = false
        /// Whether further bytes are refused.
        var hasFailed = false
    }

    private let path: String
    private let descriptor: Int32
    private let state = Mutex(State())
    private let more = DispatchSemaphore(value: 0)
    private let complain: @Sendable (String) -> Void
    private let done = DispatchSemaphore(value: 0)

    /// - Parameter complain: called once, on any thread, if the file ends early.
    init(_ path: String, complain: @escaping @Sendable (String) -> Void) throws(TapeError) {
        // Only the owner may read the file, because it contains barcode values.
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TapeError("\(path): \(String(cString: strerror(errno)))") }
        self.path = path
        self.complain = complain
        // The thread is not joined, because a disk may never respond.
        _ = LaneThread(name: "tape") { [self] in writeAll() }
    }

    /// Appends bytes completely or not at all. Any thread may call it.
    func append(_ bytes: [UInt8]) {
        let (isEnough, isFull) = state.withLock { state in
            guard !state.hasFailed, !state.isClosed else { return (false, false) }
            guard state.waiting.count + bytes.count <= Self.queueLimit else { return (false, true) }
            let before = state.waiting.count
            state.waiting.append(contentsOf: bytes)
            return (before < Self.batch && state.waiting.count >= Self.batch, false)
        }
        if isFull { fail("the disk is slower than the pipeline") }
        if isEnough { more.signal() }
    }

    /// Waits until everything is written, for a bounded time. Later bytes are refused.
    func close() {
        state.withLock { $0.isClosed = true }
        more.signal()
        if done.wait(timeout: .now() + Self.closingPatience) == .timedOut { fail("the disk does not answer") }
    }

    private func writeAll() {
        defer {
            Glibc.close(descriptor)
            done.signal()
        }
        var bytes: [UInt8] = []
        while true {
            _ = more.wait(timeout: .now() + Self.patience)
            let (isLast, hasFailed) = state.withLock { state in
                swap(&state.waiting, &bytes)
                return (state.isClosed, state.hasFailed)
            }
            if let failure = write(bytes) { return fail(failure) }
            bytes.removeAll(keepingCapacity: true)
            if isLast || hasFailed { return }
        }
    }

    private func fail(_ reason: String) {
        let isFirst = state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed
        }
        if isFirst { complain("\(path): the recording ended early, the pipeline continues: \(reason)") }
    }

    /// - Returns: the error; nil on success.
    private func write(_ bytes: [UInt8]) -> String? {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return String(cString: strerror(errno))
                }
            }
            return nil
        }
    }
}
