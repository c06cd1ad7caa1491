// SPDX-License-Identifier: Apache-2.0
import Observations

/// The limits of a store of pictures. The limit reached first applies.
package struct PictureLimits: Sendable, Equatable {
    package var age: Duration
    package var count: Int
    /// The size of the pictures and their metadata.
    package var bytes: Int

    package init(age: Duration = .seconds(30 * 86_400), count: Int = 10_000, bytes: Int = 1 << 30) {
        self.age = age
        self.count = count
        self.bytes = bytes
    }
}

/// The stored pictures, oldest first, and the decision which of them to delete. The type does not access files.
package struct PictureShelf: Sendable {
    package struct Entry: Sendable, Equatable {
        /// The file name without folder and suffix.
        package var name: String
        /// The size including metadata.
        package var bytes: Int
        /// The time of writing, by the file system's clock.
        package var written: Timestamp
        /// Whether the picture is deleted early unless it is accepted.
        package var isProvisional: Bool

        package init(name: String, bytes: Int, written: Timestamp, isProvisional: Bool = false) {
            self.name = name
            self.bytes = bytes
            self.written = written
            self.isProvisional = isProvisional
        }
    }

    package private(set) var entries: [Entry]
    package private(set) var bytes: Int

    /// - Parameter entries: in any order.
    package init(_ entries: [Entry] = []) {
        self.entries = entries.sorted { ($0.written, $0.name) < ($1.written, $1.name) }
        bytes = entries.reduce(0) { $0 + $1.bytes }
    }

    /// Adds a new picture, in place of one with this name.
    package mutating func add(_ entry: Entry) {
        remove(entry.name)
        let index = entries.lastIndex { $0.written <= entry.written }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: index)
        bytes += entry.bytes
    }

    package mutating func remove(_ name: String) {
        // The search starts at the newest entry, which is the most likely one.
        guard let index = entries.lastIndex(where: { $0.name == name }) else { return }
        bytes -= entries.remove(at: index).bytes
    }

    package mutating func accept(_ name: String) {
        guard let index = entries.lastIndex(where: { $0.name == name }) else { return }
        entries[index].isProvisional = false
    }

    /// Removes the entries that exceed the limits: first those that are too old, then the oldest.
    ///
    /// - Parameter provisionalAge: the highest age of a provisional entry.
    package mutating func evict(
        _ limits: PictureLimits, provisionalAge: Duration, at now: Timestamp
    ) -> [Entry] {
        let oldest = now.advanced(byNanoseconds: -limits.age.nanoseconds)
        let oldestProvisional = now.advanced(byNanoseconds: -provisionalAge.nanoseconds)
        var gone: [Entry] = []
        entries.removeAll { entry in
            let isOver = entry.written < oldest || (entry.isProvisional && entry.written < oldestProvisional)
            if isOver { gone.append(entry) }
            return isOver
        }
        bytes -= gone.reduce(0) { $0 + $1.bytes }
        var excess = 0
        while entries.count - excess > limits.count || (bytes > limits.bytes && excess < entries.count) {
            bytes -= entries[excess].bytes
            excess += 1
        }
        gone += entries.prefix(excess)
        entries.removeFirst(excess)
        return gone
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to the range of `Int64`.
    package var nanoseconds: Int64 {
        let (seconds, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return components.seconds < 0 ? .min : .max }
        return seconds &+ components.attoseconds / 1_000_000_000
    }
}
