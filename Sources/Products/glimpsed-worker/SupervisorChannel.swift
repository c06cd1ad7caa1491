#if canImport(Glibc)
    import Glibc
#endif
import Assembly
import EventLines
import Observations
import Pipelines
import Search
import Synchronization
import WorkerChannel

/// The worker's end of the channel to the daemon: messages in on standard input, framed messages out on what was standard output.
final class SupervisorChannel: EventSink {
    /// How long a worker whose daemon is gone may take to end its tracks.
    private static let orphanedGrace: UInt32 = 3

    private let output: Int32
    private let buffer = Mutex<[UInt8]>([])
    private let decoder = Mutex(WorkerFrameDecoder())

    /// Takes standard output for itself; what a library prints there goes to standard error from now on.
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

    /// Reports messages from now on, on a thread of its own. The last one is a stop: then the daemon is gone, and the process ends soon
    /// whatever happens.
    func listen(_ received: @escaping @Sendable (ToWorker) -> Void) {
        _ = LaneThread(name: "commands") { [self] in
            while let message: ToWorker = receive() { received(message) }
            received(.stop(.shutdown))
            sleep(Self.orphanedGrace)
            _exit(ExitStatus.failed.rawValue)
        }
    }

    /// Tells the daemon every half second that the process lives and what it has done.
    func beat(_ statistics: @escaping @Sendable () -> PipelineAssembly.Statistics) {
        _ = LaneThread(name: "heartbeat") { [self] in
            while true {
                usleep(500_000)
                send([.heartbeat(WorkerHeartbeat(statistics()))])
            }
        }
    }

    func write(_ events: [EncodedEvent]) {
        send(events.map { .event($0) })
    }

    func send(_ messages: [FromWorker]) {
        buffer.withLock { bytes in
            bytes.removeAll(keepingCapacity: true)
            for message in messages { WorkerFrame.append(message, to: &bytes) }
            writeAll(bytes)
        }
    }

    /// A daemon that reads no more is noticed by `listen`; what is written meanwhile is lost with it.
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
