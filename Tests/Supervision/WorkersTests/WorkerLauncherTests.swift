// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import GlimpseTesting
import Logging
import Testing

@testable import Workers

@Suite struct WorkerLauncherTests {
    /// The kill comes at another moment of the copying in each round: the pause before it is part of the fault. No
    /// expectation depends on its length.
    @Test func noChildIsLeftWhenTheZygoteIsKilledWhileItCopies() throws {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let launcher = WorkerLauncher(executable: Program.built("ScriptedWorker"), logger: log)
        launcher.load()
        for round in 0..<300 {
            let zygote = try #require(readyZygote(of: launcher))
            let killing = DispatchGroup()
            DispatchQueue.global().async(group: killing) {
                usleep(UInt32(round % 100) * 5)
                kill(zygote, SIGKILL)
            }
            let child = try launcher.launch()
            killing.wait()
            for descriptor in [child.input, child.output, child.errors, child.viewers] { close(descriptor) }
            kill(child.pid, SIGKILL)
            waitpid(child.pid, nil, 0)
        }
        launcher.close()
        #expect(ProcessFootprint.children(of: getpid()) == [])
    }

    private func readyZygote(of launcher: WorkerLauncher) -> pid_t? {
        let deadline = ContinuousClock.now + patience
        while .now < deadline {
            launcher.check()
            if !launcher.isLoading(), let zygote = ProcessFootprint.zygote(of: getpid()) { return zygote }
            usleep(200)
        }
        return nil
    }
}
