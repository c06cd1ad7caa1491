// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Workers

@Suite struct WorkerExecutableTests {
    @Test func theWorkerProgramIsFoundWhereItIsInstalled() throws {
        let installed = "/usr/libexec/glimpsed/glimpsed-worker"
        func find(_ given: String?, _ existing: String...) throws -> String {
            try WorkerExecutable.find(given: given, executable: "/usr/bin/glimpsed") { existing.contains($0) }
        }
        #expect(try find(nil, installed, "/usr/bin/glimpsed-worker") == installed)
        #expect(try find(nil, "/usr/bin/glimpsed-worker") == "/usr/bin/glimpsed-worker")
        #expect(try find("/x", installed, "/x") == "/x")
        #expect(throws: WorkersError("cannot start workers: $GLIMPSED_WORKER is /x, which is not a program")) {
            try find("/x", installed)
        }
        #expect(
            throws: WorkersError(
                "cannot start workers: neither \(installed) nor /usr/bin/glimpsed-worker exists; install all of glimpsed, or set $GLIMPSED_WORKER"
            )
        ) {
            try find(nil)
        }
    }
}
