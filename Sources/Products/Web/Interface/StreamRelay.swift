// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseClient
import NIOCore

/// Passes the bytes of a daemon's connection on to a viewer in a thread of its own. An event loop, with its buffers and
/// handlers, takes several times the processor time for each frame.
final class StreamRelay: Sendable {
    /// The viewer has not got all bytes.
    struct Broken: Error {}

    private static let stackBytes = 128 << 10

    private let source: CInt
    private let viewer: CInt
    private let length: Int?
    private let patience: TimeAmount

    /// - Parameters:
    ///   - channel: the viewer's. The caller writes nothing to it until `run` has returned.
    ///   - length: the number of bytes; nil for all in chunks.
    ///   - patience: the time in which the viewer must take something.
    init(_ connection: Connection, to channel: any Channel, length: Int?, patience: TimeAmount) async throws {
        (self.length, self.patience) = (length, patience)
        let descriptor = try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                fcntl($0, F_DUPFD_CLOEXEC, 0)
            }
        }.get()
        guard let descriptor, descriptor >= 0 else { throw Broken() }
        viewer = descriptor
        do {
            source = try connection.duplicate()
        } catch {
            close(descriptor)
            throw error
        }
        _ = fcntl(source, F_SETFL, fcntl(source, F_GETFL) & ~O_NONBLOCK)
    }

    deinit {
        close(source)
        close(viewer)
    }

    /// Returns when the source has ended or all bytes are passed on. Cancelling the task ends both connections.
    ///
    /// - Throws: `Broken`.
    func run() async throws {
        let isWhole = await withTaskCancellationHandler {
            await withCheckedContinuation { start($0) }
        } onCancel: {
            shutdown(source, CInt(SHUT_RDWR))
            shutdown(viewer, CInt(SHUT_RDWR))
        }
        guard isWhole else { throw Broken() }
    }

    private func start(_ end: CheckedContinuation<Bool, Never>) {
        let work = Unmanaged.passRetained(Work(relay: self, end: end))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackBytes)
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let status = pthread_create(&thread, &attributes, runWork, work.toOpaque())
        guard status == 0 else {
            work.release()
            end.resume(returning: false)
            return
        }
    }

    fileprivate final class Work: Sendable {
        let relay: StreamRelay
        let end: CheckedContinuation<Bool, Never>

        init(relay: StreamRelay, end: CheckedContinuation<Bool, Never>) { (self.relay, self.end) = (relay, end) }

        func run() {
            let patience = CInt(relay.patience.nanoseconds / 1_000_000)
            let copy = StreamCopy(
                source: relay.source, viewer: relay.viewer, length: relay.length, patience: patience)
            end.resume(returning: copy.run())
        }
    }
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<StreamRelay.Work>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
