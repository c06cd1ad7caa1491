// SPDX-License-Identifier: Apache-2.0
/// The `[retention]` table: how long recorded data stay, and how much of them.
package struct RetentionSettings: Sendable, Equatable {
    /// The limit that is reached first counts.
    package struct Limits<Size: Sendable & Equatable>: Sendable, Equatable {
        package var age: Duration
        /// In bytes.
        package var size: Size

        package init(age: Duration, size: Size) {
            self.age = age
            self.size = size
        }
    }

    /// The journal on disk. Its size includes the history. A size of nil keeps neither.
    package var events = Limits<Int?>(age: .seconds(7 * 86_400), size: nil)
    /// The age of completed tracks.
    package var history = Duration.seconds(90 * 86_400)
    /// The pictures of each pipeline.
    package var pictures = Limits(age: .seconds(30 * 86_400), size: 1 << 30)
    /// The clips of each pipeline.
    package var clips = Limits(age: .seconds(30 * 86_400), size: 10 << 30)

    package static let standard = Self()
}

extension DaemonSettings {
    static let retentionRow = SettingsRow<DaemonSettings, RetentionSettings>.members(
        of: RetentionSettings.init(events:history:pictures:clips:),
        .init(
            "retention.events", \.retention.events, .limits(.diskLimit), .restart,
            "Age of the events on disk, and size of events and history together under state_dir. The size \"\" keeps events "
                + "in memory only, and no history."),
        .init("retention.history", \.retention.history, .age, .restart, "Age of the completed tracks in the history."),
        .init(
            "retention.pictures", \.retention.pictures, .limits(.byteCount((64 << 10)...(1 << 50))), .worker,
            "Age and size of the pictures of each pipeline. The oldest are deleted first."),
        .init(
            "retention.clips", \.retention.clips, .limits(.byteCount((1 << 20)...(1 << 50))), .worker,
            "Age and size of the clips of each pipeline. The oldest are deleted first."))

    /// The keys that `[retention]` replaces, with their replacement.
    static let replacedKeys = [
        replaced(
            .init("events.journal_disk", \.retention.events.size, .diskLimit, .restart, "Size on disk."), "events"),
        replaced(.init("events.journal_age", \.retention.events.age, .age, .restart, "Age of events."), "events"),
        replaced(.init("events.history_age", \.retention.history, .age, .restart, "Age of tracks."), "history"),
    ]

    private static func replaced<Value>(
        _ row: SettingsRow<DaemonSettings, Value>, _ replacement: String
    ) -> (row: SettingsKey<DaemonSettings>, replacement: String) { (row.keys[0], replacement) }

    /// Reads the replaced keys that a table has.
    mutating func decodeReplaced(_ table: TableReader) {
        for (row, _) in Self.replacedKeys where row.table == table.path.last ?? "" && table.has(row.key) {
            row.read(table, into: &self)
        }
    }

    /// Refuses replaced keys beside their replacement, and warns of the others.
    func checkReplaced(_ context: DecodingContext) {
        for (row, replacement) in Self.replacedKeys {
            let path = [String(row.table), row.key]
            guard context.line(of: path) != nil else { continue }
            let isDouble = context.line(of: ["retention", replacement]) != nil
            context.reportReplaced(
                path, by: "\(replacement) in [retention]", isDouble: isDouble,
                advice: "write \(replacement) = \(retentionText(replacement)) in [retention]")
        }
    }

    private func retentionText(_ key: String) -> String {
        Self.retentionRow.keys.first { $0.key == key }?.value(of: self) ?? "..."
    }
}

extension DecodingContext {
    /// Reports a key that another one replaces.
    ///
    /// - Parameter isDouble: whether the replacement is given too, so that nobody can tell which one counts.
    func reportReplaced(_ path: [String], by replacement: String, isDouble: Bool, advice: String) {
        let key = path.last ?? ""
        if isDouble {
            report(path, "\(key) and \(replacement) say the same", suggestion: "remove \(key)")
        } else {
            warn(path, "\(key) is deprecated: \(replacement) replaces it", suggestion: advice)
        }
    }
}

extension ValueFormat<Duration> {
    static var age: Self { duration(.seconds(1), to: .seconds(36_500 * 86_400)) }
}

extension ValueFormat {
    /// `[age, size]`
    static func limits<Size>(_ size: ValueFormat<Size>) -> Self where Value == RetentionSettings.Limits<Size> {
        let write = { @Sendable (limits: Value) -> TOMLNode? in
            guard let age = ValueFormat<Duration>.age.write(limits.age), let size = size.write(limits.size) else {
                return nil
            }
            return .array([age, size])
        }
        let values = "[age, size]: \(ValueFormat<Duration>.age.values); \(size.values)"
        return .init(values, write) { node throws(ValueProblem) in
            guard case .array(let nodes) = node else { throw .wrongType("[age, size]", node) }
            guard nodes.count == 2 else { throw .init("must be [age, size], not \(nodes.count) values") }
            let age = try ValueFormat<Duration>.age.read(nodes[0], element: 0)
            return Value(age: age, size: try size.read(nodes[1], element: 1))
        }
    }

    /// Reads an element of a list.
    private func read(_ node: TOMLNode, element: Int) throws(ValueProblem) -> Value {
        do throws(ValueProblem) {
            return try read(node)
        } catch {
            var problem = error
            problem.element = element
            throw problem
        }
    }
}
