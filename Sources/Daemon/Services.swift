import EventSocket
import NIOCore
import ServiceLifecycle
import Workers

/// Keeps the socket open until the shutdown; then every subscriber gets the rest and the connection's end.
struct EventSocketService: Service {
    let socket: NIOLoopBound<EventSocket>
    let limit: TimeAmount

    func run() async throws {
        try? await gracefulShutdown()
        try await socket.eventLoop.flatSubmit { socket.value.stop(within: limit) }.get()
    }
}

/// Runs the workers until the shutdown; then all of them end, and their tracks.
struct WorkersService: Service {
    let workers: NIOLoopBound<Workers>

    func run() async throws {
        try await workers.eventLoop.submit { workers.value.start() }.get()
        try? await gracefulShutdown()
        try await workers.eventLoop.flatSubmit { workers.value.stop(.shutdown) }.get()
    }
}
