// SPDX-License-Identifier: Apache-2.0
import Observations

/// The settings that all kinds of destinations of the relay have.
package protocol DestinationSettings: KeyedTable {
    /// `[A-Za-z0-9_-]+`; names the cursor's file.
    var name: String { get set }
    var types: [String] { get set }
    /// Lines per second of each track, of `update` and `missing`.
    var updateRate: Double { get set }
    var start: DestinationStart { get set }
    /// Names, or patterns with `*` and `?`; empty: all.
    var pipelines: [String] { get set }
    /// Empty: all.
    var kinds: Set<FeatureKind> { get set }
    /// Whether pipelines that run on demand run because of the relay.
    var demand: Bool { get set }
}

/// Where a destination without a cursor begins.
package enum DestinationStart: String, Sendable, CaseIterable {
    case now
    /// With the oldest event of the journal.
    case oldest
}

extension DestinationSettings {
    /// The types of events that a destination may have.
    package static var allTypes: [String] {
        [
            "detected", "update", "missing", "completed", "zone", "line", "search", "snapshot", "clip", "source",
            "detector", "config",
        ]
    }
}

extension DestinationSettings {
    /// The keys of a destination. The members that every destination has come first.
    static func destinationKeys<each Member>(
        of initializer: (
            _ name: String, _ types: [String], _ updateRate: Double, _ start: DestinationStart, _ pipelines: [String],
            _ kinds: Set<FeatureKind>, _ demand: Bool, repeat each Member
        ) -> Self,
        _ rows: repeat SettingsRow<Self, each Member>
    ) -> [SettingsKey<Self>] {
        let (name, types, updateRate, start, pipelines, kinds, demand) = destinationRows
        return Self.rows(
            of: initializer, name, types, updateRate, start, pipelines, kinds, demand, repeat each rows)
    }

    /// Outside of the function above, because Swift 6.3 cannot make key paths beside a parameter pack: they trap.
    private static var destinationRows:
        (
            SettingsRow<Self, String>, SettingsRow<Self, [String]>, SettingsRow<Self, Double>,
            SettingsRow<Self, DestinationStart>, SettingsRow<Self, [String]>, SettingsRow<Self, Set<FeatureKind>>,
            SettingsRow<Self, Bool>
        )
    {
        (
            .init(
                "name", \.name, .destinationName, .restart, required: #"such as name = "home""#,
                "names the cursor's file; unique"),
            .init("types", \.types, .eventTypes(allTypes), .restart, "the events that are handed on"),
            .init(
                "update_hz", \.updateRate, .number(0.001...1000), .restart,
                "with `update` or `missing` among the types: the highest rate of each track"),
            .init(
                "start", \.start, .choice(), .restart, "the first time: from now on, or the oldest that the journal has"
            ),
            .init(
                "pipelines", \.pipelines, .pipelinePatterns, .restart,
                "names of pipelines; `*` and `?` stand for characters; `[]`: all"),
            .init("kinds", \.kinds, .kinds, .restart, "kinds of features; `[]`: all"),
            .init(
                "demand", \.demand, .boolean, .restart, "whether pipelines that run on demand run because of the relay")
        )
    }
}

extension ValueFormat<String> {
    /// The name of a destination or a box.
    static var destinationName: Self {
        nonEmptyText.checked("letters, digits, `_` and `-`") { text throws(ValueProblem) in
            let isPlain = text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
            guard isPlain, text.utf8.count <= 64 else {
                throw .init("must be at most 64 of letters, digits, _ and -, not \(quoted(text))")
            }
        }
    }
}

extension ValueFormat<[String]> {
    /// The event socket's limits.
    fileprivate static var pipelinePatterns: Self {
        list(.nonEmptyText).checked { patterns throws(ValueProblem) in
            guard patterns.count <= 256, patterns.allSatisfy({ $0.utf8.count <= 64 }) else {
                throw .init("must be at most 256 names of at most 64 bytes")
            }
        }
    }

    fileprivate static func eventTypes(_ all: [String]) -> Self {
        list(.nonEmptyText).checked("list of types of events") { types throws(ValueProblem) in
            for (index, type) in types.enumerated() where !all.contains(type) {
                var problem = ValueProblem(
                    "is no type of event: \(quoted(type))", suggestion: didYouMean(type, among: all))
                problem.element = index
                throw problem
            }
            if types.isEmpty { throw .init("must not be empty") }
        }
    }
}
