// SPDX-License-Identifier: Apache-2.0

extension [Subscriber.Action] {
    /// The lines of all actions that send, in order.
    package func lines(_ log: EventLog) -> [UInt8] {
        var lines: [UInt8] = []
        for action in self {
            switch action {
            case .send(let bytes): lines += bytes
            case .sendRecords(let sequences):
                log.journal.withLines(of: sequences) { first, second in
                    lines += first
                    lines += second
                }
            case .fetch, .close: break
            }
        }
        return lines
    }
}
