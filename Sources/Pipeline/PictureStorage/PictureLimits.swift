import Observations

/// What a store of pictures keeps at most; whatever limit is reached first counts.
package struct PictureLimits: Sendable, Equatable {
    package var age: Duration
    package var count: Int
    /// Pictures with their metadata.
    package var bytes: Int

    package init(age: Duration = .seconds(30 * 86_400), count: Int = 10_000, bytes: Int = 1 << 30) {
        self.age = age
        self.count = count
        self.bytes = bytes
    }
}

/// The pictures that there are, oldest first, and which of them have to go. Knows no files.
package struct PictureShelf: Sendable {
    package struct Entry: Sendable, Equatable {
        /// Without the folder and the suffix.
        package var name: String
        /// With its metadata.
        package var bytes: Int
        /// When it was written, by the file system's clock.
        package var written: Timestamp
        /// Whether it goes early, unless somebody accepts it.
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

    /// Takes a picture that was just written, in place of one of the same name.
    package mutating func add(_ entry: Entry) {
        remove(entry.name)
        let index = entries.lastIndex { $0.written <= entry.written }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: index)
        bytes += entry.bytes
    }

    package mutating func remove(_ name: String) {
        // The newest is by far the likeliest.
        guard let index = entries.lastIndex(where: { $0.name == name }) else { return }
        bytes -= entries.remove(at: index).bytes
    }

    package mutating func accept(_ name: String) {
        guard let index = entries.lastIndex(where: { $0.name == name }) else { return }
        entries[index].isProvisional = false
    }

    /// Takes those away that the limits leave no room for: what is too old, then the oldest.
    ///
    /// - Parameter provisionalAge: how old a provisional one gets.
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
    /// Clamped to what fits.
    package var nanoseconds: Int64 {
        let (seconds, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return components.seconds < 0 ? .min : .max }
        return seconds &+ components.attoseconds / 1_000_000_000
    }
}
