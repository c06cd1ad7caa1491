// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

/// The executable that links the media and vision libraries. Users run it through `glimpsed`; the daemon starts one
/// process per pipeline.
@main
struct GlimpsedWorker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glimpsed", abstract: "Run one pipeline, or detect features in single images.",
        subcommands: [
            PipelineCommand.self, DetectCommand.self, DemoCommand.self, DoctorCommand.self, ServeCommand.self,
            IndexCommand.self, DetectorTestCommand.self, SymbolCommand.self, ZygoteCommand.self,
        ])

    static func main() {
        // GLib asks for the proxies of a desktop. Its usual store of them writes to the user's home, which the sandbox
        // forbids, and complains eleven times.
        setenv("GSETTINGS_BACKEND", "memory", 0)
        // oneDNN keeps the kernels of networks that are gone: 3 MiB of a face detector that drops two at rest.
        setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "0", 0)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let status as ExitStatus {
            exit(withError: ExitCode(status.rawValue))
        } catch {
            // The parser uses status 64 for wrong usage, and 0 for help and version.
            exit(withError: error)
        }
    }
}
