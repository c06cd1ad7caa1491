// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// Cameras that are plugged in. A folder stands for `/dev`, inotify is real, and workers are scripted.
@Suite struct CameraFolderTests {
    private let bench = DaemonBench()

    /// Without inotify, the next try would come after an hour.
    @Test func aCameraThatIsPluggedInIsTriedAtOnce() async throws {
        let device = bench.scope.path("dev/v4l/by-id/usb-camera")
        bench.scope.write("dev/null", "")
        bench.scope.write(
            "pipelines/door.toml",
            "# script: exit 1 1\n# script: exit 1 2\n# script: connect\n# script: tracks 1\n"
                + "[source]\nkind = \"v4l2\"\ndevice = \"\(device)\"\n[face]\n")
        bench.configure(workers: "restart_backoff = [\"1h\", \"1h\"]")
        bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        _ = try client.lines { $0.state == "retrying" }
        // Processes write to files in /dev all the time. A write is not a new camera.
        for _ in 0..<50 {
            bench.scope.write("dev/null", "x")
            usleep(2000)
        }
        // The device node appears first, then its symbolic link, in new folders.
        bench.scope.write("dev/video7", "")
        mkdir(bench.scope.path("dev/v4l"), 0o755)
        mkdir(bench.scope.path("dev/v4l/by-id"), 0o755)
        symlink("../../video7", device)
        _ = try client.lines { $0.state == "retrying" }
        // Unplugged, and plugged in again under another node.
        unlink(device)
        unlink(bench.scope.path("dev/video7"))
        bench.scope.write("dev/video8", "")
        symlink("../../video8", device)
        let received = try client.lines { $0.type == "update" }
        #expect(received.last?.frame?.epoch == 3)
    }
}
