// SPDX-License-Identifier: Apache-2.0
/// The models that are known by name, best first. An entry says everything that running a model takes; whether its
/// files are on this machine is `ModelLibrary`'s.
package struct ModelCatalog: Sendable, Equatable {
    /// Unique names.
    package private(set) var entries: [ModelEntry] = []

    package init(_ entries: [ModelEntry] = []) {
        add(entries)
    }

    /// Appends those whose names are not taken: who comes first is right.
    package mutating func add(_ more: [ModelEntry]) {
        for entry in more where self[entry.name] == nil { entries.append(entry) }
    }

    package subscript(name: String) -> ModelEntry? {
        entries.first { $0.name == name }
    }

    /// In the catalogue's order.
    package func entries(of kind: ModelKind) -> [ModelEntry] {
        entries.filter { $0.kind == kind }
    }
}
