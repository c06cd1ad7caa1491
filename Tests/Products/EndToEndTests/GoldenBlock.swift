// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Lines between `<!-- NAME -->` and `<!-- end NAME -->` of a documentation file. A test compares them with real
/// output.
struct GoldenBlock {
    var file: String
    var name: String

    /// `UPDATE_GOLDEN=1` writes `lines` instead of comparing.
    func expect(_ lines: [String]) throws {
        let path = "\(Checkout.root)/\(file)"
        var text = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(text.firstIndex(of: "<!-- \(name) -->"), "\(file) has no block \(name)")
        let end = try #require(text.firstIndex(of: "<!-- end \(name) -->"), "\(file) has no end of block \(name)")
        let written = Array(text[(start + 1)..<end])
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            text.replaceSubrange((start + 1)..<end, with: lines)
            try text.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            for change in lines.difference(from: written) {
                switch change {
                case .insert(_, let line, _): Issue.record("\(file), \(name): is now  \(line)")
                case .remove(_, let line, _): Issue.record("\(file), \(name): says     \(line)")
                }
            }
        }
    }
}
