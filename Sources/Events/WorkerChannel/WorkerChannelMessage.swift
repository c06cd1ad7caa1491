// SPDX-License-Identifier: Apache-2.0
/// A message on the channel between the supervisor and a worker, which is the worker's standard input and output.
///
/// Each direction has its own type, so neither end has to handle messages of the other direction. The first message to
/// a worker is a `WorkerConfiguration`; `ToWorker` messages follow. The worker sends `FromWorker` messages: its events
/// in order, and a heartbeat at least once per second.
///
/// After `ToWorker.stop` the worker sends `completed` with that reason for each live track, and exits with status 0.
/// The end of the worker's input means that the supervisor has ended, and the worker exits.
package protocol WorkerChannelMessage: Sendable, Equatable {
    /// The byte in the frame's header that identifies the message. No two messages share a tag, whatever their
    /// direction.
    var tag: UInt8 { get }

    func appendPayload(to bytes: inout [UInt8])

    /// - Returns: nil if this type has no such tag, or if the payload is not in the form that `appendPayload` writes.
    init?(tag: UInt8, payload: ArraySlice<UInt8>)
}
