// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting

/// The built `glimpsed-worker`.
enum Worker {
    static let path = Program.built("glimpsed-worker")

    /// Runs a pipeline with a given configuration, or a pipeline without detectors on a given source.
    static func pipeline(
        _ configuration: String = "[source]\nkind = \"test\"\nframes = 1\n", source: String? = nil, in scope: TestScope,
        environment: [String: String] = [:], within limit: Duration = patience
    ) -> ProgramResult {
        let file = scope.write("pipeline.toml", configuration)
        return Program.run(
            path, ["pipeline", file] + (source.map { ["--source", $0] } ?? []), environment: environment, within: limit)
    }

    /// Runs the worker as an ordinary user, because root may read everything.
    static func asOrdinaryUser(_ arguments: [String]) -> ProgramResult {
        guard geteuid() == 0 else { return Program.run(path, arguments) }
        return Program.run("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", path] + arguments)
    }
}
