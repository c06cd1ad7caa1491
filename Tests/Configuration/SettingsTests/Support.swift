// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Settings

/// The root folder of this repository.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// The problems that parsing a pipeline reports, one line each; empty if the text is right.
func pipelineProblems(
    _ text: String, file: String? = "p.toml", source: String? = nil, set: [(key: String, value: String)] = []
) -> [String] {
    do throws(ConfigurationErrors) {
        _ = try PipelineSettings.parse(text, file: file, source: source, overrides: set)
        return []
    } catch {
        return error.errors.map(\.description)
    }
}

func daemonProblems(_ text: String, file: String? = "c.toml") -> [String] {
    do throws(ConfigurationErrors) {
        _ = try DaemonSettings.parse(text, file: file)
        return []
    } catch {
        return error.errors.map(\.description)
    }
}

/// Calls the body with a temporary folder, and removes the folder afterwards.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

extension URL {
    /// Writes a file in this folder and returns the file's path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        let file = appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
