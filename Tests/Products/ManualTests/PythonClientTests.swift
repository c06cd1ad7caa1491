// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// The tests of `clients/python`, with the built daemon.
@Suite struct PythonClientTests {
    @Test(arguments: ["test_lines", "test_following", "test_peers", "test_daemon"])
    func thePythonClientPassesItsTests(module: String) {
        let binaries = String(Program.built("glimpsed").dropLast("/glimpsed".count))
        let result = Program.run(
            "python3", ["\(Checkout.root)/clients/python/tests/run.py", module],
            environment: ["GLIMPSE_BINARIES": binaries], within: .seconds(900))
        #expect(result.status == 0, "\(result)")
    }
}
