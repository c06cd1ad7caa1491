// SPDX-License-Identifier: Apache-2.0
/// A pipeline's file as it was read: what it means, and what it says.
package struct PipelineFile: Sendable, Equatable {
    package let settings: PipelineSettings
    /// The file's text: what was checked, whatever becomes of the file.
    package let text: String
    /// Values by dotted key.
    private let values: [String: TOMLNode]

    init(_ settings: PipelineSettings, text: String, document: TOMLDocument) {
        self.settings = settings
        self.text = text
        var values: [String: TOMLNode] = [:]
        Self.collect(.table(document.root), at: "", into: &values)
        self.values = values
    }

    /// Whether workers of the two files would do the same work. Comments, the order of keys and the file's own name
    /// make no difference.
    package func meansTheSame(as other: PipelineFile) -> Bool {
        var (left, right) = (settings, other.settings)
        (left.file, right.file) = (nil, nil)
        return left == right
    }

    /// Keys that have other values than in `old`, or that only one of the two has, in order: `source.width`. Never a
    /// value: it may be secret.
    package func keys(changedSince old: PipelineFile) -> [String] {
        let changed = Set(values.keys).union(old.values.keys).filter { values[$0] != old.values[$0] }
        // An empty table that has got keys, or the other way round: the keys say it.
        return changed.filter { key in !changed.contains { $0.hasPrefix("\(key).") } }.sorted()
    }

    private static func collect(_ node: TOMLNode, at key: String, into values: inout [String: TOMLNode]) {
        guard case .table(let members) = node else {
            values[key] = node
            return
        }
        // A table says something by being there: [face].
        if members.isEmpty { values[key] = node }
        for (name, member) in members { collect(member, at: key.isEmpty ? name : "\(key).\(name)", into: &values) }
    }
}
