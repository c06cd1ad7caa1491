/// A message of the channel between the supervisor and a worker: the worker's standard input and output.
///
/// Each direction has its own type, so that neither end has to deal with messages that are not for it. The first message to a worker is a
/// `WorkerConfiguration`; `ToWorker` follows. The worker sends `FromWorker`: its events in order, and a heartbeat at least once a second.
/// At `ToWorker.stop` it sends `completed` with that reason for each live track, and exits with status 0. When its input ends, the
/// supervisor is gone, and the worker exits.
package protocol WorkerChannelMessage: Sendable, Equatable {
    /// The byte that names the message in its frame's header. No two messages of either direction share one.
    var tag: UInt8 { get }

    func appendPayload(to bytes: inout [UInt8])

    /// - Returns: nil when the tag is none of this type, or the payload is not one that `appendPayload` writes.
    init?(tag: UInt8, payload: ArraySlice<UInt8>)
}
