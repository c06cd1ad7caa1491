// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import Synchronization
import LogSupport

/// Asks the kernel for the identity of a peer, and the policy whether to admit it. Any thread may call it, so refused
/// peers never reach the event loop.
package final class Admission: Sendable {
    /// A peer's place in the count of its user's connections. Releasing the object frees the place.
    package final class Place: Sendable {
        package let user: uid_t
        private let admission: Admission

        fileprivate init(_ user: uid_t, _ admission: Admission) {
            self.user = user
            self.admission = admission
        }

        deinit { admission.leave(user) }
    }

    package enum Verdict: Sendable {
        case admitted(Place)
        /// A text for the peer.
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
    ///   - table: the table of the configuration, for messages.
    ///   - maximumPerUser: the highest number of simultaneous connections of one user.
    package init(_ table: String, _ policy: PeerPolicy, maximumPerUser: Int = .max, logger: Logger) {
        state = Mutex(State(policy: policy, maximumPerUser: maximumPerUser))
        self.table = table
        self.logger = logger
    }

    /// Changes the policy for new connections. Existing connections stay.
    package func change(_ policy: PeerPolicy, maximumPerUser: Int = .max) {
        state.withLock { ($0.policy, $0.maximumPerUser) = (policy, maximumPerUser) }
    }

    /// - Parameter descriptor: a connected socket; the caller keeps it.
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
