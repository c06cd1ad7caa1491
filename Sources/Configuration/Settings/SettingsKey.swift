// SPDX-License-Identifier: Apache-2.0
/// The action that brings another value of a key into force. A larger action includes the smaller ones.
package enum SettingsChange: Int, Sendable, Comparable {
    /// Nothing: whatever runs uses the new value from now on. A lane does so from its next frame on.
    case live
    /// The lane makes its detector anew. Tracks stay.
    case detector
    /// The pipeline gets another worker.
    case worker
    /// The daemon is started again.
    case restart

    package static func < (left: SettingsChange, right: SettingsChange) -> Bool { left.rawValue < right.rawValue }
}

/// A TOML table whose keys are rows.
package protocol KeyedTable: Sendable, Equatable {
    /// Every key, those of tables inside this one included.
    static var keys: [SettingsKey<Self>] { get }

    /// The defaults.
    static var standard: Self { get }
}

/// One key of a TOML table. Its row is the only place that says how the key is read, what it means, and what a change
/// of it takes.
///
/// A new key takes a member, a row, another value for `SettingsKeyTests`, and a run of `make key-documents`. The
/// compiler refuses a member without a row (see `SettingsRow`). A new kind of detector takes a case of `FeatureKind`
/// and what the compiler misses then.
package struct SettingsKey<Table: KeyedTable>: Sendable {
    /// Dotted where the key stands in a table inside `Table`'s.
    package let name: String
    package let change: SettingsChange
    /// Whether a detector sees something else with another value. A tape that was made with one value cannot tell about
    /// another.
    package let isSeen: Bool
    /// The kinds of table that have the key, such as the source's `rtsp`. Empty: all.
    package let kinds: [String]
    /// The accepted values, in words.
    package let values: String
    /// One line for people.
    package let meaning: String
    /// The member of `Table` that holds the value.
    package let member: any AnyKeyPath & Sendable
    package let differs: @Sendable (Table, Table) -> Bool
    /// Takes the key's value from the second table into the first.
    package let adopt: @Sendable (inout Table, Table) -> Void
    /// The second argument is the key inside its own table.
    let assign: @Sendable (TableReader, String, inout Table) -> Void
    /// The table's value as TOML. nil if it is absent, or if a file cannot express it.
    let write: @Sendable (Table) -> TOMLNode?

    /// The default as TOML; nil without a default, or if no file can express it.
    package var standard: String? { write(.standard)?.toml }

    /// The table's value as TOML text; nil if a file cannot express it.
    func value(of table: Table) -> String? { write(table)?.toml }

    func read(_ reader: TableReader, into table: inout Table) { assign(reader, key, &table) }

    /// The name of the table inside `Table`'s that has the key; empty for `Table`'s own.
    var table: Substring { name.lastIndex(of: ".").map { name[..<$0] } ?? "" }

    /// The key inside its own table.
    var key: String {
        String(name[(name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex)...])
    }
}

extension KeyedTable {
    /// The defaults. The parameter sets it apart from the initialiser that the compiler makes for this module.
    package init(_ nothing: Void = ()) { self = .standard }

    /// The values in the form of a file.
    var nodes: [String: TOMLNode] {
        var nodes: [String: TOMLNode] = [:]
        for key in Self.keys {
            guard let node = key.write(self) else { continue }
            if key.table.isEmpty {
                nodes[key.key] = node
            } else {
                let table = String(key.table)
                guard case .table(var members) = nodes[table, default: .table([:])] else { continue }
                members[key.key] = node
                nodes[table] = .table(members)
            }
        }
        return nodes
    }

    /// Reads keys of one TOML table: of `Self`'s own, or of the table of that name inside it.
    ///
    /// - Parameter kind: reads the keys that only some kinds have, this one among them; nil: the keys that all kinds
    ///   have.
    mutating func decode(_ reader: TableReader, _ name: String = "", of kind: String? = nil) {
        for key in Self.keys where key.table == name && kind.map(key.kinds.contains) ?? key.kinds.isEmpty {
            key.read(reader, into: &self)
        }
    }

    /// Reports the keys that only other kinds have.
    ///
    /// - Parameters:
    ///   - kind: the table's own; nil where it is wrong, so that nobody can tell.
    ///   - what: the kind in the message's words.
    ///   - advice: for a key and the kinds that have it.
    static func refuse(
        _ reader: TableReader, _ name: String = "", of kind: String?, _ what: String,
        advice: (String, [String]) -> String
    ) {
        for key in keys where key.table == name && !key.kinds.isEmpty && reader.has(key.key) {
            guard let kind else {
                reader.ignore(key.key)
                continue
            }
            guard !key.kinds.contains(kind) else { continue }
            reader.report(
                key.key, "\(key.key) does not apply to \(what)", suggestion: advice(key.key, key.kinds))
        }
    }
}
