// SPDX-License-Identifier: Apache-2.0
import EventLog
import UnixSocket

extension EventSocket {
    package struct Configuration: Sendable {
        package var path: String
        package var mode: UInt32
        /// The name or number of a group; empty leaves the group unchanged.
        package var group: String
        /// A socket that already listens, which this object takes over; nil creates a socket.
        package var passed: CInt?
        /// The policy for peers; `maximumPerUser` limits the simultaneous connections of one user.
        package var policy: PeerPolicy
        package var maximumPerUser: Int
        package var maximumSubscribers: Int
        package var limits: Subscriber.Limits
        /// The program name and version for `hello`.
        package var server: String
        /// Reads events that are no longer in memory; nil without a journal on disk.
        package var archive: (any ArchiveReader)?

        package init(
            path: String, mode: UInt32, group: String, policy: PeerPolicy = .everybody, maximumPerUser: Int = .max,
            maximumSubscribers: Int, limits: Subscriber.Limits,
            server: String, archive: (any ArchiveReader)? = nil
        ) {
            self.path = path
            self.mode = mode
            self.group = group
            self.policy = policy
            self.maximumPerUser = maximumPerUser
            self.maximumSubscribers = maximumSubscribers
            self.limits = limits
            self.server = server
            self.archive = archive
        }
    }
}
