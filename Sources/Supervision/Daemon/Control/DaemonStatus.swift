// SPDX-License-Identifier: Apache-2.0
import DiskJournal
import JSONLines
import Sandbox

/// The state of the daemon without its pipelines.
struct DaemonStatus: Sendable {
    /// The program name and version.
    var server: String
    var runID: String
    var process: Int32
    var age: Duration
    /// The path of the configuration file, which may not exist.
    var file: String
    var revision: UInt64
    var needsRestart: [String]
    var nextSequence: UInt64
    var subscribers: Int
    /// The sandbox that the kernel supports; nil if the sandbox is disabled.
    var sandbox: SandboxSupport?
    /// nil without a journal on disk.
    var journal: DiskJournal.Report?

    func encode(to json: inout JSONWriter) {
        json.member("server", server)
        json.member("run_id", runID)
        json.member("pid", process)
        json.member("uptime_ms", Int64(age / .milliseconds(1)))
        json.member("config", file)
        json.member("revision", revision)
        if !needsRestart.isEmpty {
            json.array("restart_needed") { json in for key in needsRestart { json.element(key) } }
        }
        json.member("next_seq", nextSequence)
        json.member("subscribers", subscribers)
        if let sandbox {
            json.object("sandbox") { json in
                json.member("landlock", sandbox.landlock)
                json.member("seccomp", sandbox.filters)
            }
        }
        if let journal { json.object("journal") { journal.encode(to: &$0) } }
    }
}

extension DiskJournal.Report {
    fileprivate func encode(to json: inout JSONWriter) {
        json.member("writing", error == nil)
        if let error { json.member("error", error) }
        if let archive, archive.first < archive.end {
            json.member("first", archive.first)
            json.member("last", archive.end - 1)
        }
        json.member("bytes", bytes)
        json.member("dropped", dropped)
    }
}
