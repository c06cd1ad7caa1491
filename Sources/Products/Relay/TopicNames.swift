// SPDX-License-Identifier: Apache-2.0
import SHA2

/// The topics of one box.
package struct TopicNames: Sendable, Equatable {
    /// `PREFIX/BOX`
    package let root: String

    package init(prefix: String, box: String) { root = "\(prefix)/\(Self.level(box))" }

    package var boxStatus: String { "\(root)/status" }
    package var gap: String { "\(root)/gap" }

    /// `PREFIX/BOX/PIPELINE`
    package func pipeline(_ pipeline: String) -> String { "\(root)/\(Self.level(pipeline))" }
    package func live(_ pipeline: String) -> String { "\(root)/\(Self.level(pipeline))/live" }
    package func event(_ pipeline: String) -> String { "\(root)/\(Self.level(pipeline))/event" }
    package func pipelineStatus(_ pipeline: String) -> String { "\(root)/\(Self.level(pipeline))/status" }
    package func pipelineState(_ pipeline: String) -> String { "\(root)/\(Self.level(pipeline))/state" }
    package func barcode(_ pipeline: String) -> String { "\(root)/\(Self.level(pipeline))/barcode" }

    package func best(_ pipeline: String) -> String { "\(root)/\(Self.level(pipeline))/best" }

    package func kind(_ pipeline: String, _ kind: String, _ value: String) -> String {
        "\(root)/\(Self.level(pipeline))/\(Self.level(kind))/\(value)"
    }

    /// The kinds whose counts of a pipeline are among `topics`.
    package func kinds(of pipeline: String, among topics: Set<String>) -> Set<String> {
        let root = "\(self.pipeline(pipeline))/"
        return Set(
            topics.compactMap { topic in
                let levels = topic.hasPrefix(root) ? topic.dropFirst(root.count).split(separator: "/") : []
                return levels.count == 2 && levels[1] == "count" ? String(levels[0]) : nil
            })
    }

    package func zone(_ pipeline: String, _ zone: String, _ value: String) -> String {
        "\(root)/\(Self.level(pipeline))/zone/\(Self.level(zone))/\(value)"
    }

    package func line(_ pipeline: String, _ line: String, _ value: String) -> String {
        "\(root)/\(Self.level(pipeline))/line/\(Self.level(line))/\(value)"
    }

    /// A name as a level of a topic: each character outside `[A-Za-z0-9_-]` becomes `_`. If one does, `-` and the first
    /// six hexadecimal digits of the name's SHA-256 follow, so that two names have different levels.
    package static func level(_ name: String) -> String {
        var isChanged = name.isEmpty
        let level = String(
            name.unicodeScalars.map { scalar -> Character in
                switch scalar {
                case "A"..."Z", "a"..."z", "0"..."9", "_", "-": return Character(scalar)
                default:
                    isChanged = true
                    return "_"
                }
            })
        return isChanged ? "\(level)-\(SHA256.hexDigest(Array(name.utf8)).prefix(6))" : level
    }
}
