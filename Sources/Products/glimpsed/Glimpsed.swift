import ArgumentParser

@main
struct Glimpsed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glimpsed",
        abstract: "Turns cameras into tracks of faces, barcodes and objects, and serves them as JSON lines.",
        discussion: """
            Examples:
              glimpsed demo                            see it work, with no configuration
              glimpsed pipeline pipelines/webcam.toml  one pipeline in the foreground
              glimpsed run                             the daemon
              glimpsed watch                           what the daemon sees
              glimpsed history                         what it saw
              glimpsed status                          how its pipelines are
              glimpsed models list                     what can be detected with
              socat - UNIX-CONNECT:/run/glimpsed/events.sock | jq .

            Exit status: 0 success, 1 failed, 2 nothing found where that matters, 64 wrong usage, 66 input missing, \
            69 a service it needs is unavailable, 78 configuration error.
            """,
        version: Version.text,
        subcommands: [
            RunCommand.self, PipelineCommand.self, DetectCommand.self, WatchCommand.self, HistoryCommand.self,
            ReplayCommand.self, ConformCommand.self, CheckCommand.self, StatusCommand.self, ReloadCommand.self,
            PauseCommand.self, ResumeCommand.self, RestartCommand.self, FocusCommand.self, SnapshotCommand.self,
            AcceptCommand.self, SearchCommands.self, ModelsCommand.self, IndexCommand.self, DemoCommand.self,
            DoctorCommand.self,
        ])
}
