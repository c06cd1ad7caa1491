// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import EventLines
import GlimpseTesting
import Observations

@testable import EventLog
@testable import WorkerChannel

extension FuzzTarget {
    /// The tag and the payload of a frame, in the channel to a worker and from it. A decoded message encodes to itself.
    /// The log accepts its events and continues when the worker dies.
    static let channel = FuzzTarget(
        name: "channel", words: ["\"type\":\"update\"", "\"zones\":[", "\"track\":{", "\u{1}GL\u{3}", "\"frame\":{"]
    ) { input in
        guard let tag = input.first else { return }
        let payload = input.dropFirst()
        try requireStable(ToWorker(tag: tag, payload: payload))
        try requireStable(WorkerConfiguration(tag: tag, payload: payload))
        let message = FromWorker(tag: tag, payload: payload)
        try requireStable(message)
        guard case .event(let event)? = message else { return }
        var log = EventLog(runID: "run", limits: .init(events: 10, bytes: 1 << 20))
        log.addPipeline(PipelineIdentity(name: "door"))
        guard log.append(event, pipeline: 0) else { return }
        let line = log.journal.line(log.journal.nextSequence - 1)
        try require(line.count <= 64 << 10 && line.count { $0 < 0x20 } == 1)
        log.completeTracks(ofPipeline: 0, reason: .sourceLost)
        try require(log.nextTrack(ofPipeline: 0) > 0)
    }

    /// Bytes are compared, because NaN is not equal to itself.
    private static func requireStable<Message: WorkerChannelMessage>(_ message: Message?) throws {
        guard let message else { return }
        var (bytes, same): ([UInt8], [UInt8]) = ([], [])
        try require(WorkerFrame.append(message, to: &bytes))
        var again = WorkerFrameDecoder()
        again.append(bytes)
        guard let decoded = again.next(Message.self) else { throw Broken(description: "not decoded: \(bytes)") }
        WorkerFrame.append(decoded, to: &same)
        try require(same == bytes, "\(bytes) and \(same)")
    }
}
