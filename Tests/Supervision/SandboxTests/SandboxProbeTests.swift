// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Sandbox
import Testing

/// A process in the sandbox of a pipeline's worker tries forbidden calls on the running kernel.
@Suite(.enabled(if: SandboxSupport.ofThisKernel.missing.isEmpty, "needs Landlock and seccomp"))
struct SandboxProbeTests {
    private let scope = TestScope()

    /// - Returns: the errno of each attempt.
    private func attempts(_ source: String, _ mode: String = "boxed") throws -> [String: Int32] {
        let secret = scope.write("outside/secret", "geheim")
        scope.write("inside/mine", "")
        let file = scope.write("pipeline.toml", "[source]\n\(source)\n[barcode]\n")
        let probe = Program.run(
            Program.built("SandboxProbe"), [file, scope.path("outside"), scope.path("inside"), mode])
        #expect(probe.status == 0, "\(probe.errors)")
        if mode == "boxed" { #expect(try TestFile.read(secret) == Array("geheim".utf8)) }
        let lines = String(decoding: probe.output, as: UTF8.self).split(separator: "\n")
        return lines.reduce(into: [:]) { errors, line in
            let parts = line.split(separator: " ")
            errors[String(parts[0])] = Int32(parts[1])
        }
    }

    private static let allowed = [
        "write-inside", "rename-inside", "read-library", "read-character-set", "start-thread", "make-machine-code",
    ]
    private static let neverAllowed = [
        "start-process", "start-program", "socket-audit", "socket-raw", "socket-packet", "socket-bluetooth", "ptrace",
        "process_vm_readv", "mount", "chroot", "unshare", "clone", "bpf", "perf_event_open", "io_uring_setup",
        "userfaultfd", "keyctl", "init_module", "kexec_load", "reboot", "setuid", "open_by_handle_at", "personality",
    ]
    private static let outside = [
        "read-outside", "list-outside", "write-outside", "truncate-outside", "read-configuration", "read-terminal",
    ]
    private static let sockets = ["socket-tcp", "socket-udp6", "socket-unix", "socket-route"]

    @Test(arguments: [
        ("kind = \"test\"", []), ("kind = \"v4l2\"\ndevice = \"/dev/video0\"", []),
        ("kind = \"file\"\npath = \"inside/mine\"", []),
        ("kind = \"rtsp\"\nurl = \"rtsp://camera/\"", ["socket-tcp", "socket-udp6", "socket-route"]),
        ("kind = \"rtsp\"\nurl = \"rtsp://camera.local:554/\"", sockets),
        (
            "kind = \"launch\"\nlaunch = \"videotestsrc\"",
            sockets + ["read-outside", "list-outside", "read-configuration", "read-terminal"]
        ),
    ])
    func aSandboxedWorkerHasTheAccessItNeeds(source: String, more: [String]) throws {
        var errors = try attempts(source)
        #expect(errors.removeValue(forKey: "clone3") == ENOSYS, "so that the C library goes on with clone")
        if SandboxSupport.ofThisKernel.landlock >= 6 {
            #expect(errors["signal-parent"] == EPERM)
        }
        errors["signal-parent"] = nil
        for name in Self.allowed + more { #expect(errors.removeValue(forKey: name) == 0, "\(name)") }
        for name in Self.neverAllowed + Self.sockets where !more.contains(name) {
            #expect(errors.removeValue(forKey: name) == EPERM, "\(name)")
        }
        for name in Self.outside where !more.contains(name) {
            #expect(errors.removeValue(forKey: name) == EACCES, "\(name)")
        }
        #expect(errors.isEmpty, "nothing is said of \(errors.keys.sorted())")
    }

    /// Without the sandbox the same attempts succeed, or fail at their arguments.
    @Test func forbiddenCallsWorkWithoutTheSandbox() throws {
        let errors = try attempts("kind = \"test\"", "free")
        for name in Self.allowed + ["start-process", "signal-parent", "socket-tcp", "socket-unix", "write-outside"]
            + ["read-outside", "list-outside", "truncate-outside", "personality"]
        {
            #expect(errors[name] == 0, "\(name)")
        }
        #expect(errors["start-program"] == ENOENT && errors["clone3"] == EINVAL)
    }
}
