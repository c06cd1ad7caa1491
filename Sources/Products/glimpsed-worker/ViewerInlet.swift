// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import CProcess
import Pipelines
import WorkerChannel

/// Receives viewers of the pipeline's pictures from the daemon, each with its descriptor.
struct ViewerInlet: Sendable {
    private let descriptor: CInt

    /// Takes over the socket that the daemon passes at the start. Programs that this process starts do not inherit it.
    ///
    /// - Returns: nil if the parent passes no such socket.
    static func open() -> ViewerInlet? {
        let descriptor = CInt(GLIMPSE_VIEWER_DESCRIPTOR)
        var type: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0,
            type == CInt(bitPattern: SOCK_SEQPACKET.rawValue), fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { return nil }
        return ViewerInlet(descriptor: descriptor)
    }

    /// Reports viewers from now on, on its own thread, until the daemon closes the socket.
    ///
    /// - Parameter received: takes ownership of the descriptor.
    func listen(_ received: @escaping @Sendable (CInt, ViewerRequest) -> Void) {
        _ = LaneThread(name: "viewers") {
            var payload = [UInt8](repeating: 0, count: ViewerRequest.size)
            while true {
                var viewer: CInt = -1
                let count = glimpse_receive_descriptor(descriptor, &viewer, &payload, payload.count)
                guard count > 0 else { return }
                guard viewer >= 0 else { continue }
                if let request = ViewerRequest(payload: payload.prefix(count)) {
                    received(viewer, request)
                } else {
                    close(viewer)
                }
            }
        }
    }
}
