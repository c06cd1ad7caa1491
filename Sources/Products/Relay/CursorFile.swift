// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import GlimpseClient

/// The cursor of a destination: the position up to which everything is delivered.
package struct CursorFile: Sendable {
    private struct Form: Codable {
        var run_id: String
        var seq: UInt64
    }

    private let file: DurableFile

    package init(folder: String, destination: String) { file = DurableFile("\(folder)/\(destination).cursor") }

    /// nil: the destination has no cursor yet.
    package func load() throws(DurableFile.Failure) -> Position? {
        guard let bytes = try file.read() else { return nil }
        guard let form = try? JSONDecoder().decode(Form.self, from: Data(bytes)) else {
            throw .init(description: "\(file.path) is damaged")
        }
        return Position(runID: form.run_id, sequence: form.seq)
    }

    package func store(_ cursor: Position) throws(DurableFile.Failure) {
        guard let run = cursor.runID else { return }
        try file.write(Array("{\"run_id\":\"\(run)\",\"seq\":\(cursor.sequence)}\n".utf8))
    }
}
