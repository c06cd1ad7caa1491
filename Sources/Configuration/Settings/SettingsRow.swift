// SPDX-License-Identifier: Apache-2.0
/// The keys of one member of a table, mostly a single one.
struct SettingsRow<Table: KeyedTable, Value> {
    let keys: [SettingsKey<Table>]

    private init(keys: [SettingsKey<Table>]) { self.keys = keys }

    /// For a member that no key of the table sets.
    static var noKey: Self { .init(keys: []) }

    /// The rows of all members of a value. A member without a row does not compile, nor does a row without a member.
    ///
    /// - Parameter initializer: the initialiser that the compiler makes, with the name of each stored member.
    static func members<each Member>(
        of initializer: (repeat each Member) -> Value, _ rows: repeat SettingsRow<Table, each Member>
    ) -> Self {
        var keys: [SettingsKey<Table>] = []
        for row in repeat each rows { keys += row.keys }
        return Self(keys: keys)
    }
}

extension KeyedTable {
    /// The keys of a row for each member, as in `SettingsRow.members`.
    static func rows<each Member>(
        of initializer: (repeat each Member) -> Self, _ rows: repeat SettingsRow<Self, each Member>
    ) -> [SettingsKey<Self>] {
        SettingsRow<Self, Self>.members(of: initializer, repeat each rows).keys
    }
}

extension SettingsRow where Value: Equatable & SendableMetatype {
    /// - Parameters:
    ///   - isSeen: if nil, a change that takes a new detector or worker is seen.
    ///   - required: the advice where the key is missing. If nil, the key may be missing.
    init(
        _ name: String, _ path: any WritableKeyPath<Table, Value> & Sendable, _ format: ValueFormat<Value>,
        _ change: SettingsChange, isSeen: Bool? = nil, of kinds: [String] = [], required: String? = nil,
        _ meaning: String
    ) {
        self.init(
            name, path, values: format.values, change, isSeen: isSeen, of: kinds, meaning,
            write: { format.write($0[keyPath: path]) }
        ) { reader, key, table in
            if let required, !reader.has(key) { reader.report(key, "\(key) is missing", suggestion: required) }
            reader.read(key, format, into: &table[keyPath: path])
        }
    }

    /// A key without a default: nil stands for its absence.
    init<Wrapped: Equatable & SendableMetatype>(
        _ name: String, optional path: any WritableKeyPath<Table, Wrapped?> & Sendable, _ format: ValueFormat<Wrapped>,
        _ change: SettingsChange, isSeen: Bool? = nil, of kinds: [String] = [], required: String? = nil,
        _ meaning: String
    ) where Value == Wrapped? {
        self.init(
            name, path, format.optional, change, isSeen: isSeen, of: kinds, required: required, meaning)
    }

    /// A key that is read in a way of its own.
    init(
        _ name: String, _ path: any WritableKeyPath<Table, Value> & Sendable, values: String,
        _ change: SettingsChange, isSeen: Bool? = nil, of kinds: [String] = [], _ meaning: String,
        write: @escaping @Sendable (Table) -> TOMLNode? = { _ in nil },
        read: @escaping @Sendable (TableReader, String, inout Table) -> Void
    ) {
        keys = [
            SettingsKey(
                name: name, change: change, isSeen: isSeen ?? (change != .live), kinds: kinds, values: values,
                meaning: meaning, member: path, differs: { $0[keyPath: path] != $1[keyPath: path] },
                adopt: { $0[keyPath: path] = $1[keyPath: path] }, assign: read, write: write)
        ]
    }
}

extension SettingsRow where Value == PasswordSource? {
    /// The keys of which one says where a secret is to be had.
    static func secret(
        _ secret: String, _ path: any WritableKeyPath<Table, PasswordSource?> & Sendable,
        _ change: SettingsChange = .worker, of kinds: [String] = []
    ) -> Self {
        let rows = PasswordSource.ways.map { way in
            Self(
                "\(secret)_\(way.key)", path, values: way.format.values, change, of: kinds,
                "the \(secret) \(way.meaning)"
            ) { reader, key, table in
                if let value = reader.value(key, way.format) { table[keyPath: path] = way.source(value) }
            }
        }
        return Self(keys: rows.flatMap(\.keys))
    }
}
