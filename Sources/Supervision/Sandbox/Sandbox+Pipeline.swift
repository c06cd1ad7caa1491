// SPDX-License-Identifier: Apache-2.0
import Installation
import Settings

extension Sandbox {
    /// The access rights that the worker of a pipeline needs, and no others.
    ///
    /// - Parameters:
    ///   - settings: with absolute paths.
    ///   - resources: the folders of this program.
    ///   - writable: files and folders in which the worker may write.
    ///   - environment: returns variables of the process environment.
    package init(
        _ settings: PipelineSettings, resources: ResourceFolders, writable: [String] = [],
        environment: (String) -> String? = ResourceFolders.variable
    ) {
        self = .common
        readable.formUnion(resources.readable)
        self.writable.formUnion(writable)
        if let cache = resources.cacheFolder { self.writable.insert(cache) }
        for variable in Self.libraryPaths {
            guard let folders = environment(variable) else { continue }
            readable.formUnion(folders.split(separator: ":").map(String.init))
        }
        let credentials = environment("CREDENTIALS_DIRECTORY")
        allow(settings.source.kind, credentials)
        devices.formUnion(Self.devices(of: settings.source.decoder))
        if let search = settings.search, search.enabled { allow(search, credentials) }
        // Captions need fonts.
        if settings.snapshot?.caption == true { readable.formUnion(["/etc/fonts", "/var/cache/fontconfig"]) }
        if !settings.computesOnProcessorAlone {
            devices.formUnion(["/dev/dri", "/dev/accel"])
            readable.formUnion(["/etc/OpenCL", "/opt"])
        }
    }

    private mutating func allow(_ source: SourceKind, _ credentials: String?) {
        switch source {
        case .test: break
        case .file(let path, let loop, _):
            // In a loop the path is opened again, and may then be a different file.
            readable.insert(loop ? Self.folder(of: path) : path)
        case .images(let path, _, _):
            let fixed = path.prefix { !"*?[".contains($0) }
            readable.insert(fixed.count == path.count ? path : Self.folder(of: String(fixed)))
        case .v4l2(let device):
            devices.insert(device)
            readable.insert("/run/udev")
        case .rtsp(let camera):
            readable.formUnion(Self.network)
            sockets = camera.isNamedByMulticast ? .any : .internet
            readable.formUnion(camera.password?.files(credentials: credentials) ?? [])
        case .launch:
            // The files that a launch text reads are unknown.
            readable.insert("/")
            devices.insert("/dev")
            sockets = .any
        }
    }

    /// The devices of a decoder of video. Nothing tells a decoder of Video4Linux from a camera before it is opened.
    private static func devices(of decoder: DecoderChoice) -> [String] {
        switch decoder {
        case .auto, .software: []
        case .va: (128..<144).map { "/dev/dri/renderD\($0)" }
        case .v4l2: (0..<64).map { "/dev/video\($0)" } + (0..<16).map { "/dev/media\($0)" }
        }
    }

    private mutating func allow(_ search: SearchSettings, _ credentials: String?) {
        if let index = search.index { readable.insert(index.file) }
        guard let server = search.http else { return }
        readable.formUnion(Self.network)
        readable.formUnion(server.token?.files(credentials: credentials) ?? [])
        if let file = server.caFile { readable.insert(file) }
        if sockets == .none { sockets = .internet }
    }

    /// The rights of every worker: libraries, properties of the processors, and files that the C library reads. Only
    /// single files of `/etc` are included, because passwords of cameras may be stored there.
    private static var common: Sandbox {
        var sandbox = Sandbox()
        sandbox.readable = [
            "/usr", "/lib", "/lib32", "/lib64", "/proc", "/sys", "/etc/ld.so.cache", "/etc/localtime",
            "/etc/nsswitch.conf", "/etc/passwd",
        ]
        sandbox.devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]
        return sandbox
    }

    /// The files for host names and certificates. `resolv.conf` is a link into `/run` on systems that generate it.
    static let network = [
        "/etc/hosts", "/etc/host.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/resolv.conf",
        "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/etc/ssl", "/etc/pki", "/etc/pkcs11",
        "/etc/gnutls",
    ]

    /// The variables that name folders of libraries and plugins.
    private static let libraryPaths = [
        "LD_LIBRARY_PATH", "GST_PLUGIN_PATH", "GST_PLUGIN_PATH_1_0", "GST_PLUGIN_SYSTEM_PATH",
        "GST_PLUGIN_SYSTEM_PATH_1_0", "GIO_MODULE_DIR",
    ]

    private static func folder(of path: String) -> String {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }
}

extension RTSPSettings {
    /// Whether the host name ends in `.local`. A daemon of this machine (Avahi) resolves such names through its Unix
    /// socket.
    fileprivate var isNamedByMulticast: Bool {
        let authority = url.split(separator: "/").dropFirst().first ?? ""
        let host = authority.split(separator: ":").first ?? ""
        return host.lowercased().hasSuffix(".local")
    }
}

extension PipelineSettings {
    fileprivate var computesOnProcessorAlone: Bool {
        let engines: [(any ComputingTable)?] = [search?.classifier, search?.index]
        let tables = detectors.map { $0.table as? any ComputingTable } + engines
        return tables.allSatisfy { $0?.device ?? "CPU" == "CPU" }
    }
}
