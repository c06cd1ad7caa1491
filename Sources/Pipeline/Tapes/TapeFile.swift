import Dispatch
import Glibc
import Pipelines
import Synchronization

/// A file that grows on a thread of its own: whoever appends never waits for a disk. When the disk does not take it, the file ends there.
final class TapeFile: Sendable {
    /// Bytes that wait for the disk at most.
    static let queueLimit = 16 << 20
    /// Bytes from which on the thread does not wait for more.
    private static let batch = 128 << 10
    /// What a kill costs at most.
    private static let patience = DispatchTimeInterval.milliseconds(500)
    /// How long the end waits for a disk.
    private static let closingPatience = DispatchTimeInterval.seconds(10)

    private struct State {
        var waiting: [UInt8] = []
        var isClosed = false
        /// Nothing more is taken.
        var hasFailed = false
    }

    private let path: String
    private let descriptor: Int32
    private let state = Mutex(State())
    private let more = DispatchSemaphore(value: 0)
    private let complain: @Sendable (String) -> Void
    private let done = DispatchSemaphore(value: 0)

    /// - Parameter complain: is told once, should the file end early. From any thread.
    init(_ path: String, complain: @escaping @Sendable (String) -> Void) throws(TapeError) {
        // What barcodes say is not for everybody.
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TapeError("\(path): \(String(cString: strerror(errno)))") }
        self.path = path
        self.complain = complain
        // Not joined: a disk may never answer.
        _ = LaneThread(name: "tape") { [self] in writeAll() }
    }

    /// Appends bytes, from any thread, all or nothing.
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

    /// Waits until everything is written, though not for ever. Nothing is taken afterwards.
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
        if isFirst { complain("\(path): the recording ended early, the pipeline goes on: \(reason)") }
    }

    /// - Returns: what went wrong.
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
