// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A temporary folder for one test, removed with its contents at the end.
///
/// It lies in `/tmp` and has a short name, because the path of a Unix socket has at most 107 bytes.
package final class TestScope: Sendable {
    package let folder: String

    /// - Parameter inMemory: uses a folder in memory if the system has one, for tests that sync thousands of files.
    package init(inMemory: Bool = false) {
        let parent = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/glimpse-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("no temporary folder: \(String(cString: strerror(errno)))") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(folder)
    }

    private static func remove(_ path: String) {
        guard unlink(path) != 0, let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { remove("\(path)/\(name)") }
        }
        closedir(directory)
        rmdir(path)
    }

    package func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Writes a text file and creates its parent folders. Returns its path.
    @discardableResult
    package func write(_ name: String, _ text: String) -> String { write(name, bytes: Array(text.utf8)) }

    /// Writes a binary file and creates its parent folders. Returns its path.
    @discardableResult
    package func write(_ name: String, bytes: [UInt8]) -> String {
        let path = path(name)
        for (index, character) in path.enumerated() where character == "/" && index > folder.count {
            mkdir(String(path.prefix(index)), 0o755)
        }
        guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        return path
    }
}

/// Waits until a condition holds, checking it every few milliseconds.
///
/// - Returns: whether the condition held before the deadline.
package func holds(within limit: Duration = patience, _ fact: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if try await fact() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await fact()
}
