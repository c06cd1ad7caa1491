// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import CProcess
import EventLines
import Observations
import Pipelines
import Search
import Synchronization
import WorkerChannel

/// The worker's end of the channel to the daemon. It reads messages from standard input and writes framed messages to
/// the original standard output.
final class SupervisorChannel: EventSink {
    /// The time in seconds that a worker without a daemon may take to end its tracks.
    private static let orphanedGrace: UInt32 = 3
    /// Between two heartbeats, in microseconds.
    private static let pause: UInt32 = 500_000
    /// A minute has this many heartbeats. Trimming takes milliseconds.
    private static let beatsBetweenTrims = 120

    private let output: Int32
    private let buffer = Mutex<[UInt8]>([])
    private let decoder = Mutex(WorkerFrameDecoder())

    /// Takes over standard output. Output of libraries to standard output goes to standard error from then on.
    static func open() throws(ExitStatus) -> SupervisorChannel {
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { throw .failed }
        return SupervisorChannel(output: output)
    }

    private init(output: Int32) {
        self.output = output
    }

    /// Waits for the first message; nil when the input ends before it.
    func receiveConfiguration() -> WorkerConfiguration? { receive() }

    /// Reports messages from now on, on its own thread. When the daemon is gone, the last message is a stop, and the
    /// process ends soon after in any case.
    func listen(_ received: @escaping @Sendable (ToWorker) -> Void) {
        _ = LaneThread(name: "commands") { [self] in
            while let message: ToWorker = receive() { received(message) }
            received(.stop(.shutdown))
            sleep(Self.orphanedGrace)
            _exit(ExitStatus.failed.rawValue)
        }
    }

    /// Sends the daemon a heartbeat with the metrics every half second, and returns free memory to the system every
    /// minute.
    ///
    /// Frames that wait for a busy machine leave holes in the heap. malloc returns only the heap's top
    /// (docs/decisions/0204).
    func beat(_ metrics: @escaping @Sendable () -> PipelineMetrics) {
        _ = LaneThread(name: "heartbeat") { [self] in
            for beat in 1... {
                usleep(Self.pause)
                send([.heartbeat(metrics())])
                if beat.isMultiple(of: Self.beatsBetweenTrims) { glimpse_trim_heap() }
            }
        }
    }

    func write(_ events: [EncodedEvent]) {
        send([.made(Self.monotonicTime)] + events.map { .event($0) })
    }

    private static var monotonicTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    func send(_ messages: [FromWorker]) {
        buffer.withLock { bytes in
            bytes.removeAll(keepingCapacity: true)
            for message in messages { WorkerFrame.append(message, to: &bytes) }
            writeAll(bytes)
        }
    }

    /// An error is ignored: `listen` notices a daemon that no longer reads. Messages written meanwhile are lost.
    private func writeAll(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(output, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return }
            }
        }
    }

    /// The next message; nil at the end of input.
    private func receive<Message: WorkerChannelMessage>() -> Message? {
        decoder.withLock { decoder in
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                if let message: Message = decoder.next() { return message }
                let count = read(STDIN_FILENO, &chunk, chunk.count)
                if count > 0 { decoder.append(chunk.prefix(count)) } else if count == 0 || errno != EINTR { return nil }
            }
        }
    }
}
