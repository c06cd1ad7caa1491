// SPDX-License-Identifier: Apache-2.0
import Installation
import Sandbox
import Settings
import Testing

/// The rights of each kind of pipeline, as values.
@Suite struct SandboxTableTests {
    private func sandbox(_ source: String, _ rest: String = "", environment: [String: String] = [:]) throws -> Sandbox {
        let settings = try PipelineSettings.parse("[source]\n\(source)\n\(rest)\n[barcode]\n")
        let lookup: (String) -> String? = { environment[$0] }
        return Sandbox(
            settings, resources: ResourceFolders(executable: "/opt/glimpse/libexec/worker", environment: lookup),
            writable: ["/state/snapshots"], environment: lookup)
    }

    /// The rights of a pipeline beyond those of a test picture.
    private func more(
        _ source: String, _ rest: String = "", environment: [String: String] = [:]
    ) throws -> (readable: [String], devices: [String], sockets: Sandbox.Sockets) {
        let (this, least) = (try sandbox(source, rest, environment: environment), try sandbox("kind = \"test\""))
        #expect(this.readable.isSuperset(of: least.readable) && this.devices.isSuperset(of: least.devices))
        return (
            this.readable.subtracting(least.readable).sorted(), this.devices.subtracting(least.devices).sorted(),
            this.sockets
        )
    }

    @Test(
        arguments: [
            ("kind = \"test\"", [], [], Sandbox.Sockets.none),
            ("kind = \"file\"\npath = \"/f/a.mp4\"", ["/f/a.mp4"], [], .none),
            ("kind = \"file\"\npath = \"/f/a.mp4\"\nloop = true", ["/f"], [], .none),
            ("kind = \"images\"\npath = \"/f/p\"", ["/f/p"], [], .none),
            ("kind = \"images\"\npath = \"/f/p/day-*/[0-9]*.png\"", ["/f/p"], [], .none),
            ("kind = \"images\"\npath = \"/*.png\"", ["/"], [], .none),
            ("kind = \"v4l2\"\ndevice = \"/dev/v4l/by-id/x\"", ["/run/udev"], ["/dev/v4l/by-id/x"], .none),
            ("kind = \"launch\"\nlaunch = \"videotestsrc\"", ["/"], ["/dev"], .any),
        ] as [(String, [String], [String], Sandbox.Sockets)])
    func sandboxRulesOfSources(source: String, readable: [String], devices: [String], sockets: Sandbox.Sockets) throws {
        let more = try more(source)
        #expect(more.readable == readable && more.devices == devices && more.sockets == sockets)
    }

    @Test(arguments: [
        ("rtsp://10.0.0.2/", Sandbox.Sockets.internet), ("rtsps://camera.LOCAL:322/live", .any),
        ("rtsp://local.example/x.local", .internet), ("rtsp://door.local", .any),
    ])
    func sandboxRulesOfCameras(url: String, sockets: Sandbox.Sockets) throws {
        let open = try more("kind = \"rtsp\"\nurl = \"\(url)\"")
        #expect(open.sockets == sockets && open.devices.isEmpty && open.readable.contains("/etc/resolv.conf"))
        let secret = try more("kind = \"rtsp\"\nurl = \"\(url)\"\nuser = \"u\"\npassword_file = \"/s/password\"")
        #expect(Set(secret.readable).subtracting(open.readable) == ["/s/password"])
        let credential = try more(
            "kind = \"rtsp\"\nurl = \"\(url)\"\nuser = \"u\"\npassword_credential = \"door\"",
            environment: ["CREDENTIALS_DIRECTORY": "/run/credentials/glimpsed"])
        #expect(
            Set(credential.readable).subtracting(open.readable)
                == ["/run/credentials/glimpsed/door", "/run/credentials/glimpsed/camera_door"])
    }

    @Test func sandboxRulesOfEveryWorker() throws {
        let plain = try sandbox("kind = \"test\"", environment: ["CACHE_DIRECTORY": "/c"])
        #expect(plain.writable == ["/state/snapshots", "/c"])
        // Workers have no access to the journal and to other pipelines' passwords.
        for path in ["/", "/etc", "/var/lib/glimpsed", "/home", "/dev", "/run"] {
            #expect(!plain.readable.union(plain.writable).union(plain.devices).contains(path))
        }
        #expect(
            plain.readable.isSuperset(of: [
                "/var/lib/glimpsed/models", "/opt/glimpse/libexec", "/opt/glimpse/lib/glimpsed",
            ]))
    }

    @Test(arguments: [("auto", []), ("software", []), ("va", ["dri/renderD"]), ("v4l2", ["media", "video"])])
    func sandboxRulesOfDecoders(decoder: String, kinds: [String]) throws {
        let more = try more("kind = \"file\"\npath = \"/f/a.mp4\"\ndecoder = \"\(decoder)\"")
        #expect(more.readable == ["/f/a.mp4"] && more.sockets == .none)
        let found = Set(more.devices.map { $0.dropFirst("/dev/".count).prefix { !$0.isNumber } }.map(String.init))
        #expect(found.sorted() == kinds, "\(more.devices)")
    }

    @Test func sandboxRulesOfDevicesAndPlugins() throws {
        for device in ["GPU", "AUTO", "NPU"] {
            let more = try more("kind = \"test\"", "[face]\ndevice = \"\(device)\"")
            #expect(more.devices == ["/dev/accel", "/dev/dri"] && more.readable == ["/etc/OpenCL", "/opt"])
        }
        let plugins = try more("kind = \"test\"", environment: ["GST_PLUGIN_PATH": "/p:/q"])
        #expect(plugins.readable == ["/p", "/q"])
    }
}
