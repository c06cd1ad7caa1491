// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import EventLines
import Observations
import Search

/// The messages from the supervisor to a running worker.
package enum ToWorker: WorkerChannelMessage {
    case stop(CompletionReason)
    case focus(WorkerFocus)
    /// The text of a pipeline file whose changes a running worker can apply without a restart.
    case takeOver(String)
    /// A request, which the worker answers with one `FromWorker.answer` of this number.
    case request(UInt64, WorkerRequest)
    case search(SearchCommand)
    /// The lines that subscribers request. The worker sends none of them until it receives this message.
    case requestedLines(RequestedLines)

    private enum Tag: UInt8 {
        case stop = 17
        case focus
        case takeOver
        case request
        case search = 24
        case requestedLines
    }

    package var tag: UInt8 { name.rawValue }

    private var name: Tag {
        switch self {
        case .stop: .stop
        case .focus: .focus
        case .takeOver: .takeOver
        case .request: .request
        case .search: .search
        case .requestedLines: .requestedLines
        }
    }

    package func appendPayload(to bytes: inout [UInt8]) {
        switch self {
        case .stop(let reason):
            bytes.append(contentsOf: reason.rawValue.utf8)
        case .focus(let focus):
            bytes.append(string: focus.detector)
            if let track = focus.track { bytes.append(integer: track) }
        case .takeOver(let text):
            bytes.append(contentsOf: text.utf8)
        case .request(let number, let request):
            bytes.append(integer: number)
            request.appendPayload(to: &bytes)
        case .search(let command): command.appendPayload(to: &bytes)
        case .requestedLines(let lines): bytes.append(lines.rawValue)
        }
    }

    package init?(tag: UInt8, payload: ArraySlice<UInt8>) {
        var reader = PayloadReader(payload)
        switch Tag(rawValue: tag) {
        case .stop:
            guard let text = String(validating: payload, as: UTF8.self), let reason = CompletionReason(rawValue: text)
            else { return nil }
            self = .stop(reason)
        case .focus:
            guard let detector = reader.string() else { return nil }
            let track = reader.integer()
            guard reader.isAtEnd else { return nil }
            self = .focus(WorkerFocus(detector: detector, track: track))
        case .takeOver:
            guard let text = String(validating: payload, as: UTF8.self) else { return nil }
            self = .takeOver(text)
        case .request:
            guard let number = reader.integer(), let request = WorkerRequest(&reader), reader.isAtEnd else {
                return nil
            }
            self = .request(number, request)
        case .search:
            guard let command = SearchCommand(&reader) else { return nil }
            self = .search(command)
        case .requestedLines:
            guard let byte = reader.byte(), reader.isAtEnd else { return nil }
            let lines = RequestedLines(rawValue: byte)
            guard lines.isSubset(of: .all) else { return nil }
            self = .requestedLines(lines)
        case nil: return nil
        }
    }
}

/// The track of a detector that is reported exclusively.
package struct WorkerFocus: Sendable, Equatable {
    package var detector: String
    /// nil selects the policy of the pipeline file.
    package var track: UInt64?

    package init(detector: String, track: UInt64?) {
        self.detector = detector
        self.track = track
    }
}
