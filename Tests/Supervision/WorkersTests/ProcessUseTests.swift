// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

@testable import Workers

@Suite struct ProcessUseTests {
    @Test func theUseOfAProcessIsThatOfTheKernel() throws {
        let use = try #require(ProcessUse(of: getpid()))
        #expect(use.memory > 1 << 20 && use.resident > use.memory && use.threads >= 1 && use.processorTime > 0)
        #expect(ProcessUse.sharedMemory(of: getpid()) != nil)
        #expect(ProcessUse(of: -1) == nil && ProcessUse.sharedMemory(of: -1) == nil)
    }

    @Test func theNameOfAProgramIsNotReadAsNumbers() throws {
        let scope = TestScope()
        let program = scope.path("a) 9 9 (b")
        try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program)
        let sleep = RunningProgram(program, ["600"], scope: scope)
        defer { sleep.send(SIGKILL) }
        #expect(ProcessUse(of: sleep.process)?.threads == 1)
    }
}
