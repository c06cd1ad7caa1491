import ArgumentParser
import CProcess

/// The executable that links the media and vision libraries. People reach it through `glimpsed`; the daemon starts one for each pipeline.
@main
struct GlimpsedWorker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glimpsed", abstract: "Runs one pipeline, or looks at single images.",
        subcommands: [
            PipelineCommand.self, DetectCommand.self, DemoCommand.self, DoctorCommand.self, ServeCommand.self,
            IndexCommand.self, SymbolCommand.self,
        ])

    static func main() {
        glimpse_limit_malloc_arenas(2)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let status as ExitStatus {
            exit(withError: ExitCode(status.rawValue))
        } catch {
            // The parser's own status for wrong usage is 64 already; help and version end with 0.
            exit(withError: error)
        }
    }
}
