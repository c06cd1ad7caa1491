// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Control groups for the workers, below the supervisor's own group. They use the `cpu` controller of cgroup v2, if
/// systemd (`Delegate=cpu`) or an administrator has delegated the group. See docs.kernel.org, "Control Group v2".
///
/// The calls block for some writes to the kernel's own file system.
struct ControlGroups {
    /// The reason why control groups are unavailable.
    struct Unavailable: Error, Equatable, CustomStringConvertible {
        var description: String
    }

    /// The period in microseconds, the kernel's default.
    private static let period = 100_000

    private let folder: String

    /// Moves this process and any running workers into a group named `supervisor`. The move is necessary because a
    /// group that contains processes cannot have subgroups with controllers. The kernel then shares processors between
    /// the subgroups.
    ///
    /// - Parameters:
    ///   - root: the mount point of the cgroup file system.
    ///   - memberships: the text of `/proc/self/cgroup`.
    init(root: String = "/sys/fs/cgroup", memberships: String? = nil) throws(Unavailable) {
        let text: String
        if let memberships { text = memberships } else { text = try Self.read("/proc/self/cgroup") }
        guard let own = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") })?.dropFirst(3) else {
            throw Unavailable(description: "this system has no cgroup v2")
        }
        // After a crash and restart the process starts inside the `supervisor` group.
        let path = own.hasSuffix("/supervisor") ? own.dropLast("/supervisor".count) : own
        folder = root + (path == "/" ? "" : path)
        guard try Self.read("\(folder)/cgroup.controllers").split(whereSeparator: \.isWhitespace).contains("cpu") else {
            throw Unavailable(description: "\(folder) has no cpu controller")
        }
        try make("supervisor")
        for process in try Set(Self.processes(of: folder)).union([getpid()]).sorted() {
            try enter(process, group: "supervisor")
        }
        try Self.write("+cpu", to: "\(folder)/cgroup.subtree_control")
    }

    /// Moves a newly started process into the group of its pipeline, and sets the group's share of the processors.
    func enter(_ process: pid_t, pipeline: String, _ resources: WorkerResources) throws(Unavailable) {
        let group = Self.group(pipeline)
        try make(group)
        // Between groups the kernel compares the groups' weights, so the niceness is set on the group.
        if let weight = resources.cpuWeight {
            try Self.write("\(weight)", to: "\(folder)/\(group)/cpu.weight")
        } else {
            try Self.write("\(resources.nice)", to: "\(folder)/\(group)/cpu.weight.nice")
        }
        let quota = resources.cpuLimit.map { "\(max(1000, Int($0 * Double(Self.period))))" } ?? "max"
        try Self.write("\(quota) \(Self.period)", to: "\(folder)/\(group)/cpu.max")
        try enter(process, group: group)
    }

    /// Removes the group of a pipeline without processes.
    func leave(pipeline: String) { rmdir("\(folder)/\(Self.group(pipeline))") }

    private static func group(_ pipeline: String) -> String { "worker-\(pipeline)" }

    private func make(_ name: String) throws(Unavailable) {
        let path = "\(folder)/\(name)"
        if mkdir(path, 0o755) != 0, errno != EEXIST { throw Self.failure(path) }
    }

    private func enter(_ process: pid_t, group: String) throws(Unavailable) {
        do throws(Unavailable) {
            try Self.write("\(process)", to: "\(folder)/\(group)/cgroup.procs")
        } catch {
            // A process that has ended meanwhile needs no group.
            guard kill(process, 0) != 0 else { throw error }
        }
    }

    private static func processes(of group: String) throws(Unavailable) -> [pid_t] {
        try read("\(group)/cgroup.procs").split(separator: "\n").compactMap { pid_t($0) }
    }

    private static func write(_ text: String, to path: String) throws(Unavailable) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else { throw failure(path) }
    }

    private static func read(_ path: String) throws(Unavailable) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure(path) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func failure(_ path: String) -> Unavailable {
        Unavailable(description: "\(path): \(String(cString: strerror(errno)))")
    }
}
