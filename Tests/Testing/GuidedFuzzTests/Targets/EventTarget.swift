// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

@testable import Relay
@testable import Web

extension FuzzTarget {
    /// Lines of the daemon, as the relay and the page read them. A message to a broker has the line's type. A
    /// server-sent event ends with an empty line.
    static let event = FuzzTarget(
        name: "event",
        words: [
            "\"type\":\"", "hello", "state", "detected", "update", "missing", "completed", "zone", "line", "snapshot",
            "clip", "frame", "source", "detector", "search", "config", "gap", "ping", "error", "\"seq\":",
            "\"run_id\":",
            "\"track\":{", "\"frame\":{", "\"tracks\":[", "\"lost\":{", "\"from\":", "\"to\":", "\"pipelines\":[",
            "18446744073709551615", "\n",
        ]
    ) { input in
        var state = LiveState()
        for line in input.split(separator: UInt8(ascii: "\n")) {
            guard let event = Event(line: Array(line)) else { continue }
            _ = state.take(event)
            for name in state.names { _ = state.outline(of: name) }
            if let type = event.type {
                try require(EventMessage.payload(event, type: type).starts(with: Array("{\"event_type\":".utf8)))
            }
            if case .gap(let gap) = event.content {
                _ = EventMessage.gap(gap, run: "run", after: event.position?.sequence, types: ["detected"])
            }
            _ = event.isYounger(than: .seconds(10))
            guard let text = EventRoute.text(event, run: "run") else { continue }
            try require(text.suffix(2) == [0x0A, 0x0A], String(decoding: text, as: UTF8.self))
        }
    }
}
