// SPDX-License-Identifier: Apache-2.0
/// The daemon's own file, `config.toml`. `DaemonSettings()` is what no file means.
package struct DaemonSettings: Sendable, Equatable {
    package var daemon = Daemon()
    package var events = Events()
    package var retention = RetentionSettings()
    package var control = Control()
    package var workers = Workers()

    package static let standard = Self()

    /// `[daemon]`
    package struct Daemon: Sendable, Equatable {
        /// Folder of pipeline files; a relative one starts at the folder of `config.toml`.
        package var pipelines = "pipelines"
        /// Journal, snapshots.
        package var stateDirectory = "/var/lib/glimpsed"
        package var modelsDirectory = "/var/lib/glimpsed/models"
        /// The time for a stop before it becomes a kill.
        package var stopLimit = Duration.seconds(5)
        /// How long a pipeline that a reload changed has until it works; zero = for ever.
        package var trial = Duration.seconds(30)
        /// Reload by itself when a file changes.
        package var watchFiles = false
        package var logLevel = LogLevel.info
        package var logFormat = LogFormat.auto
        /// No picture leaves a worker's memory: no snapshot, no crash dump.
        package var noImages = false
    }

    /// `[events]`
    package struct Events: Sendable, Equatable {
        /// At most 107 bytes, the limit of a Unix socket's address on Linux.
        package var socket = "/run/glimpsed/events.sock"
        /// Permission bits, 0...0o777.
        package var mode: UInt32 = 0o660
        /// Group of the socket; empty = leave it.
        package var group = "glimpsed"
        /// Bytes per subscriber.
        package var queue = 4 * 1024 * 1024
        /// A subscriber that reads nothing for so long is disconnected.
        package var stallLimit = Duration.seconds(60)
        /// A `ping` line after so long without another.
        package var heartbeat = Duration.seconds(15)
        package var maxSubscribers = 4096
        /// Events and bytes the journal keeps in memory, whichever is reached first.
        package var journalEvents = 65536
        package var journalBytes = 16 * 1024 * 1024
        /// Between two syncs of the journal on disk.
        package var journalSync = Duration.milliseconds(200)
        /// Names or numbers; both empty = whoever can connect.
        package var allowUsers: [String] = []
        package var allowGroups: [String] = []
        /// Subscribers of one user.
        package var maxPerUser = 2048
    }

    /// `[control]`
    package struct Control: Sendable, Equatable {
        /// At most 107 bytes.
        package var socket = "/run/glimpsed/control.sock"
        package var mode: UInt32 = 0o660
        package var group = "glimpsed"
        /// Names or numbers.
        package var allowUsers: [String] = []
        package var allowGroups: [String] = []
    }

    /// `[workers]`
    package struct Workers: Sendable, Equatable {
        /// Wait before the first restart, and the most it grows to.
        package var restartBackoff = Backoff(initial: .milliseconds(500), limit: .seconds(30))
        /// Crashes within `crashWindow` before a pipeline is disabled. 1...1000.
        package var crashLimit = 5
        package var crashWindow = Duration.seconds(60)
        /// A worker one part of which takes longer is replaced.
        package var stallLimit = Duration.seconds(30)
        /// Bytes per worker; nil = none.
        package var memoryLimit: Int?
        /// Threads per worker; nil = any number.
        package var threadLimit: Int?
        /// The niceness of workers above the daemon's. 0...19.
        package var nice = 0
        /// A worker's share of the processors beside other workers, 1...10000, as cgroup v2's `cpu.weight`; nil = as
        /// everybody's.
        package var cpuWeight: Int?
        /// How many processors' time a worker may take, 0.01...1024; nil = any. As cgroup v2's `cpu.max`.
        package var cpuLimit: Double?
        /// Keep the last frames before a crash.
        package var crashDump = false
        package var sandbox = SandboxMode.auto
    }

    /// Whether workers give up what they do not need.
    package enum SandboxMode: String, Sendable, CaseIterable {
        /// As far as the kernel can.
        case auto
        case off
    }

    package struct Backoff: Sendable, Equatable {
        package var initial: Duration
        package var limit: Duration

        package init(initial: Duration, limit: Duration) {
            self.initial = initial
            self.limit = limit
        }
    }

    package enum LogLevel: String, Sendable, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    package enum LogFormat: String, Sendable, CaseIterable {
        case auto, text, json, journal
    }
}
