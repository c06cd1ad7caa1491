import Glibc
import Logging
import Synchronization
import LogSupport

/// Asks the kernel who a peer is, and the policy whether it is heard. From any thread: those who are not never reach the event loop.
package final class Admission: Sendable {
    /// A peer's place among those of its user. It is free again when nobody holds this any more.
    package final class Place: Sendable {
        private let user: uid_t
        private let admission: Admission

        fileprivate init(_ user: uid_t, _ admission: Admission) {
            self.user = user
            self.admission = admission
        }

        deinit { admission.leave(user) }
    }

    package enum Verdict: Sendable {
        case admitted(Place)
        /// For the peer to read.
        case refused(String)
    }

    private struct State {
        var policy: PeerPolicy
        var maximumPerUser: Int
        var peers: [uid_t: Int] = [:]
        var refusals = ComplaintLimiter()
    }

    private let state: Mutex<State>
    private let table: String
    private let logger: Logger

    /// - Parameters:
    ///   - table: of the configuration, for messages.
    ///   - maximumPerUser: peers of one user at a time.
    package init(_ table: String, _ policy: PeerPolicy, maximumPerUser: Int = .max, logger: Logger) {
        state = Mutex(State(policy: policy, maximumPerUser: maximumPerUser))
        self.table = table
        self.logger = logger
    }

    /// Who is heard from now on; those who are connected stay.
    package func change(_ policy: PeerPolicy, maximumPerUser: Int = .max) {
        state.withLock { ($0.policy, $0.maximumPerUser) = (policy, maximumPerUser) }
    }

    /// - Parameter descriptor: a connected socket; stays the caller's.
    package func verdict(on descriptor: CInt) -> Verdict {
        let peer: Peer
        do throws(SocketError) {
            peer = try Peer(of: descriptor)
        } catch {
            return refuse(error.description)
        }
        let refusal: String? = state.withLock { state in
            if let reason = state.policy.refusal(of: peer) { return reason }
            guard state.peers[peer.user, default: 0] < state.maximumPerUser else {
                return "too many connections of user \(peer.user): \(table).max_per_user is \(state.maximumPerUser)"
            }
            state.peers[peer.user, default: 0] += 1
            return nil
        }
        return refusal.map(refuse) ?? .admitted(Place(peer.user, self))
    }

    private func refuse(_ reason: String) -> Verdict {
        let total = state.withLock { $0.refusals.count(at: .now) ? $0.refusals.total : nil }
        if let total { logger.warning("\(table): \(reason) (refused so far: \(total))") }
        return .refused(reason)
    }

    private func leave(_ user: uid_t) {
        state.withLock { state in
            let left = state.peers[user, default: 1] - 1
            state.peers[user] = left > 0 ? left : nil
        }
    }
}
