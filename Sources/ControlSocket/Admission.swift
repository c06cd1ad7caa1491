import Logging
import Synchronization
import Telemetry
import UnixSocket

/// Asks the kernel who a peer is, and the policy whether it is heard. From any thread: those who are not never reach the event loop.
final class Admission: Sendable {
    private let state: Mutex<(policy: PeerPolicy, refusals: ComplaintLimiter)>
    private let logger: Logger

    init(_ policy: PeerPolicy, logger: Logger) {
        state = Mutex((policy, ComplaintLimiter()))
        self.logger = logger
    }

    var policy: PeerPolicy {
        get { state.withLock(\.policy) }
        set { state.withLock { $0.policy = newValue } }
    }

    /// - Parameter descriptor: a connected socket; stays the caller's.
    /// - Returns: why the peer is not heard; nil when it is.
    func refusal(of descriptor: CInt) -> String? {
        let refusal: String
        do throws(SocketError) {
            let peer = try Peer(of: descriptor)
            guard let reason = policy.refusal(of: peer) else { return nil }
            refusal = reason
        } catch {
            refusal = error.description
        }
        let total = state.withLock { $0.refusals.count(at: .now) ? $0.refusals.total : nil }
        if let total { logger.warning("control: \(refusal) (refused so far: \(total))") }
        return refusal
    }
}
