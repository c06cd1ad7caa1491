// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Finds the program `glimpsed-worker`.
package enum WorkerExecutable {
    package static let name = "glimpsed-worker"
    /// The environment variable with the path of another worker program.
    package static let variable = "GLIMPSED_WORKER"

    /// Finds the program. The path in $GLIMPSED_WORKER comes first, then `../libexec/glimpsed/glimpsed-worker` relative
    /// to this program's folder, then this program's folder.
    ///
    /// - Throws: `WorkersError` that names the places.
    package static func find() throws(WorkersError) -> String {
        let given = getenv(variable).map { String(cString: $0) }
        return try find(given: given, executable: ownPath(), isExecutable: { access($0, X_OK) == 0 })
    }

    static func find(
        given: String?, executable: String, isExecutable: (String) -> Bool
    ) throws(WorkersError) -> String {
        if let given, !given.isEmpty {
            guard isExecutable(given) else {
                throw WorkersError("cannot start workers: $\(variable) is \(given), which is not a program")
            }
            return given
        }
        let folder = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let beside = folder.joined(separator: "/") + "/" + name
        let installed = folder.dropLast().joined(separator: "/") + "/libexec/glimpsed/" + name
        for path in [installed, beside] where isExecutable(path) { return path }
        throw WorkersError(
            "cannot start workers: neither \(installed) nor \(beside) exists; install all of glimpsed, or set $\(variable)"
        )
    }

    /// The folder of this program.
    package static func ownFolder() -> String {
        ownPath().split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }

    private static func ownPath() -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count)
        return String(decoding: path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
