// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Settings

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "List the installed components, the missing ones, and the command that installs each.",
        discussion: """
            Examples:
              glimpsed doctor --config /etc/glimpsed/config.toml
              glimpsed doctor --pipeline /etc/glimpsed/pipelines/front-door.toml

            --pipeline runs the pipeline for at most 10 seconds. It prints no events, but the number of frames from the \
            source, the tracks of each detector, and the number of faces smaller than face.min_size.

            Exit status: 0 no component is missing, 1 a component is missing, 69 glimpsed-worker is not installed.
            """)

    @Option(
        help: ArgumentHelp("The daemon's configuration. Default: \(ConfigurationCheck.defaultFile).", valueName: "file")
    )
    var config: String?

    @Option(help: ArgumentHelp("Run this pipeline for up to 10 seconds.", valueName: "file"))
    var pipeline: String?

    func run() throws {
        let check = ConfigurationCheck(file: config)
        let settings = check.daemon
        report(check.problems.isEmpty, "configuration \(check.file)", fix: "glimpsed check")
        if access("/run/systemd/system", F_OK) == 0 {
            report(true, "systemd")
        } else {
            say("none    systemd (glimpsed also runs without it: glimpsed run)")
        }
        let group = settings.events.group
        if !group.isEmpty, getgrnam(group) == nil {
            say("none    group \(group) (events.group); create it with: groupadd --system \(group)")
        }
        if DaemonConnection.isServed(settings.events.socket) {
            report(true, "daemon at \(settings.events.socket)")
        } else {
            say("none    daemon at \(settings.events.socket); start it with: systemctl start glimpsed, or glimpsed run")
        }
        try WorkerProcess.become(["doctor"] + (pipeline.map { ["--pipeline", $0] } ?? []))
    }

    private func report(_ isGood: Bool, _ text: String, fix: String = "") {
        say("\(isGood ? "ok     " : "MISSING") \(text)\(isGood || fix.isEmpty ? "" : "; \(fix)")")
    }
}
