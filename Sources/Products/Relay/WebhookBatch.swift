// SPDX-License-Identifier: Apache-2.0
/// The events of one request: its body is a JSON array of their lines. The type is pure.
package struct WebhookBatch: Sendable, Equatable {
    /// A body of this size takes no further line. The daemon's lines have at most 64 KiB, so no body is larger than
    /// 1 MiB, which is the limit of many servers.
    static let fullSize = (1 << 20) - (1 << 16) - 2

    private var lines: [UInt8] = []
    /// The events' tickets in the window, in order.
    package private(set) var tickets: [UInt64] = []

    package init() {}

    package var isFull: Bool { lines.count >= Self.fullSize }
    package var body: [UInt8] { [UInt8(ascii: "[")] + lines + [UInt8(ascii: "]")] }

    package mutating func append(_ line: [UInt8], ticket: UInt64) {
        if !tickets.isEmpty { lines.append(UInt8(ascii: ",")) }
        lines += line
        tickets.append(ticket)
    }
}
