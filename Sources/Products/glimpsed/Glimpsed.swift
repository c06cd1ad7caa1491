// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Installation

@main
struct Glimpsed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glimpsed",
        abstract: "Detect and track faces, barcodes and objects in camera frames, and serve the events as JSON lines.",
        discussion: """
            Examples:
              glimpsed demo                            try it without a configuration
              glimpsed pipeline pipelines/webcam.toml  run one pipeline in the foreground
              glimpsed run                             run the daemon
              glimpsed watch                           show the live tracks
              glimpsed history                         list past tracks and searches
              glimpsed status                          show the state of the daemon
              glimpsed models list                     list the models of detectors
              socat -u UNIX-CONNECT:/run/glimpsed/events.sock - | jq .

            Exit status: 0 success, 1 failure, 2 nothing found or detected, 64 wrong usage, 66 missing input, \
            69 the daemon, a program or a server is unavailable, 78 configuration error.
            """,
        version: Version.text,
        subcommands: [
            RunCommand.self, PipelineCommand.self, DetectCommand.self, WatchCommand.self, HistoryCommand.self,
            ReplayCommand.self, ConformCommand.self, CheckCommand.self, StatusCommand.self, MetricsCommand.self,
            ReloadCommand.self, PauseCommand.self, ResumeCommand.self, RestartCommand.self, FocusCommand.self,
            SnapshotCommand.self,
            AcceptCommand.self, ForgetCommand.self, SearchCommands.self, ModelsCommand.self, IndexCommand.self,
            WebCommand.self, DemoCommand.self, DoctorCommand.self, DetectorTestCommand.self,
        ])
}
