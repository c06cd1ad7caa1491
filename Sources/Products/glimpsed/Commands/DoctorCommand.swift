import ArgumentParser
import Glibc
import Settings

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Tell what this machine has, what is missing, and the command that fixes it.",
        discussion: """
            Example:
              glimpsed doctor --config /etc/glimpsed/config.toml
              glimpsed doctor --pipeline /etc/glimpsed/pipelines/front-door.toml

            --pipeline runs the pipeline for at most 10 seconds of time and prints no event: the frames that its source gives, the
            tracks of each detector, and faces that are smaller than face.min_size.

            Exit status: 0 when nothing is missing, 1 when something is, 69 when glimpsed-worker is not installed.
            """)

    @Option(
        help: ArgumentHelp("The daemon's configuration. Default: \(ConfigurationCheck.defaultFile).", valueName: "file")
    )
    var config: String?

    @Option(help: ArgumentHelp("Try this pipeline for some seconds.", valueName: "file"))
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
            say("none    group \(group), which events.group names; make it with: groupadd --system \(group)")
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
