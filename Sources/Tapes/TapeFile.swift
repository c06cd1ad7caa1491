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

    private struct State {
        var waiting: [UInt8] = []
        var isClosed = false
        /// Why nothing more is taken; nil: it is.
        var failure: String?
    }

    private let path: String
    private let descriptor: Int32
    private let state = Mutex(State())
    private let more = DispatchSemaphore(value: 0)
    private let complain: @Sendable (String) -> Void
    private let thread = Mutex<LaneThread?>(nil)

    /// - Parameter complain: is told once, should the file end early. From the file's own thread.
    init(_ path: String, complain: @escaping @Sendable (String) -> Void) throws(TapeError) {
        // What barcodes say is not for everybody.
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TapeError("\(path): \(String(cString: strerror(errno)))") }
        self.path = path
        self.complain = complain
        thread.withLock { $0 = LaneThread(name: "tape") { [self] in writeAll() } }
    }

    /// Appends bytes, from any thread, all or nothing.
    func append(_ bytes: [UInt8]) {
        let isEnough = state.withLock { state in
            guard state.failure == nil, !state.isClosed else { return false }
            guard state.waiting.count + bytes.count <= Self.queueLimit else {
                state.failure = "the disk is slower than the pipeline"
                return true
            }
            let before = state.waiting.count
            state.waiting.append(contentsOf: bytes)
            return before < Self.batch && state.waiting.count >= Self.batch
        }
        if isEnough { more.signal() }
    }

    /// Waits until everything is written. Nothing is taken afterwards.
    func close() {
        state.withLock { $0.isClosed = true }
        more.signal()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private func writeAll() {
        defer { Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            _ = more.wait(timeout: .now() + Self.patience)
            let (isLast, overrun) = state.withLock { state in
                swap(&state.waiting, &bytes)
                return (state.isClosed, state.failure)
            }
            let failure = write(bytes) ?? overrun
            bytes.removeAll(keepingCapacity: true)
            if let failure {
                state.withLock { state in
                    state.failure = failure
                    state.waiting = []
                }
                complain("\(path): the recording ended early, the pipeline goes on: \(failure)")
                return
            }
            if isLast { return }
        }
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
