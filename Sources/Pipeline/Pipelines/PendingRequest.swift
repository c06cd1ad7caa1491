// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The newest request from any thread to the lane's thread.
final class PendingRequest<Request: Sendable>: Sendable {
    private let newest = Mutex<Request?>(nil)

    /// - Parameter combine: combines the waiting request, if any, with the new one.
    func put(_ combine: (_ waiting: Request?) -> Request) {
        newest.withLock { $0 = combine($0) }
    }

    func take() -> Request? {
        newest.withLock { request in
            defer { request = nil }
            return request
        }
    }
}
