// SPDX-License-Identifier: Apache-2.0
/// Cuts bytes into lines.
struct LineCutter {
    /// The longest line in bytes; the daemon's lines are shorter.
    static let longest = 1 << 20

    private var bytes: [UInt8] = []
    private var start = 0
    /// The bytes before this index contain no newline.
    private var searched = 0

    mutating func append(_ more: [UInt8]) {
        bytes.removeFirst(start)
        searched -= start
        start = 0
        bytes += more
    }

    /// The next complete line without its newline; nil until more bytes arrive.
    mutating func next() throws(Connection.Lost) -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            guard bytes.count - start <= Self.longest else {
                throw Connection.Lost("the daemon sent a line longer than 1 MiB")
            }
            return nil
        }
        defer {
            start = end + 1
            searched = start
        }
        return Array(bytes[start..<end])
    }
}
