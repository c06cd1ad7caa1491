// SPDX-License-Identifier: Apache-2.0
extension SourceSettings: KeyedTable {
    package static let standard = Self()

    /// The keys of every kind.
    package static let keys = rows(
        of: Self.init(
            kind:width:height:fps:rotation:mirror:decodeThreads:decoder:every:stallLimit:gate:onDemand:linger:
            idling:ring:masks:),
        .noKey,
        .init(
            "width", optional: \.width, .integer(1...16384), .worker,
            "pixels requested from v4l2, test, images; the source's own by default"),
        .init("height", optional: \.height, .integer(1...16384), .worker, "pixels, as `width`"),
        .init(
            "fps", optional: \.fps, .frameRate, .worker,
            "frames per second requested from the source; its own by default"),
        .init("rotation", \.rotation, .rotation, .worker, "degrees clockwise; `auto`: what the stream's own tag says"),
        .init("mirror", \.mirror, .boolean, .worker, "flip left and right, after the rotation"),
        .init(
            "decode_threads", \.decodeThreads, .integer(0...64), .worker,
            "threads of a software video decoder; 0: one for each processor"),
        .init(
            "decoder", \.decoder, .choice(), .worker,
            "decoder of video: `auto`: GStreamer's choice, without devices; `va`, `v4l2`: a device, else software"),
        .init("every", \.every, .integer(1...1000), .worker, "`n`: the first and then every n-th frame is used"),
        .init(
            "stall_limit", \.stallLimit, .duration, .worker,
            "a live source without a frame for this time is stalled; for twice as long, lost"),
        .members(
            of: GateSettings.init(enabled:refresh:),
            .init(
                "gate.enabled", \.gate.enabled, .boolean, .worker,
                "face, object and scene detectors run only on frames that show something new"),
            .init(
                "gate.refresh", \.gate.refresh, .duration(.milliseconds(100), to: .seconds(60)), .worker,
                "a detector runs at least once in this time, even if nothing changes")),
        .init("on_demand", \.onDemand, .boolean, .worker, "under the daemon: runs only while somebody subscribes"),
        .init(
            "linger", \.linger, .duration(.zero, to: .seconds(86400)), .worker,
            "with `on_demand`: time from the last subscriber to the end of the worker"),
        .noKey, .noKey, .noKey)

    /// Checks values that come from a program by the rules for values in a file. Keys of one kind of source are not
    /// checked.
    ///
    /// - Throws: every problem, without the name of a file.
    package func validate() throws(ConfigurationErrors) {
        let context = DecodingContext(file: nil)
        var copy = self
        copy.decode(TableReader(nodes, context: context))
        try context.throwIfAny()
    }

    init(_ reader: TableReader) {
        let keys = SourceKeys(reader)
        self.init(kind: keys.kind(reader) ?? .test())
        (idling, ring) = (keys.idling, keys.ring)
        decode(reader)
        if let table = reader.table("gate") {
            decode(table, "gate")
            if !gate.enabled, table.has("refresh") {
                table.report("refresh", "refresh applies only with enabled = true")
            }
            table.finish()
        }
        if reader.has("linger"), !onDemand {
            reader.report("linger", "linger applies only with on_demand = true")
        }
        reader.finish(hints: [
            "password": "a password does not stand in this file: use password_file, password_env or password_credential"
        ])
    }
}

/// The keys of `[source]` that only some kinds have, and `kind`, which says which.
package struct SourceKeys: KeyedTable {
    package enum Kind: String, CaseIterable, Sendable {
        case v4l2, rtsp, file, images, test, launch
    }

    var kind: Kind?
    var device = ""
    var url = ""
    var user: String?
    var password: PasswordSource?
    var transport = RTSPSettings.Transport.tcp
    var latency = Duration.milliseconds(200)
    var idling = IdleSettings()
    var ring = RingSettings()
    var path = ""
    var loop = false
    var pace = Pace.fast
    var pattern = "scene"
    var frames = 0
    var launch = ""

    package static let standard = Self()

    package static let keys = rows(
        of: Self.init(
            kind:device:url:user:password:transport:latency:idling:ring:path:loop:pace:pattern:frames:launch:),
        .init(
            "kind", optional: \.kind, .choice(), .worker, required: "one of \(ValueFormat<Kind>.choice().values)",
            "where the frames come from"),
        .init(
            "device", \.device, .devicePath, .worker, of: ["v4l2"], required: #"such as device = "/dev/video0""#,
            "`/dev/v4l/by-id/...` names stay the same when cables move"),
        .init(
            "url", \.url, .rtspAddress, .worker, of: ["rtsp"], required: #"such as url = "rtsp://camera/stream""#,
            "the camera's address, without a password"),
        .init("user", optional: \.user, .nonEmptyText, .worker, of: ["rtsp"], "needs a password"),
        .secret("password", \.password, of: ["rtsp", "launch"]),
        .init("transport", \.transport, .choice(), .worker, of: ["rtsp"], "protocol of the packets"),
        .init(
            "latency", \.latency, .duration(.zero, to: .seconds(60)), .worker, of: ["rtsp"],
            "longest wait for a late packet"),
        .members(
            of: IdleSettings.init(mode:after:every:),
            .init(
                "idle", \.idling.mode, .choice(), .worker, of: ["v4l2", "rtsp", "launch"],
                "`keyframes`: at rest only key frames are decoded, or one picture in `idle_every`"),
            .init(
                "idle_after", \.idling.after, .duration(.milliseconds(100), to: .seconds(3600)), .worker,
                of: ["v4l2", "rtsp", "launch"],
                "with `keyframes`: time at rest before idling begins"),
            .init(
                "idle_every", \.idling.every, .duration(.zero, to: .seconds(4)), .worker,
                of: ["v4l2", "rtsp", "launch"],
                "with `keyframes`: least time between two decoded pictures")),
        .members(
            of: RingSettings.init(duration:bytes:),
            .init(
                "ring", \.ring.duration, .duration(.zero, to: .seconds(600)), .worker, of: ["v4l2", "rtsp", "file"],
                "length of the newest encoded video in memory; v4l2 then gives encoded video; a file needs `realtime`"),
            .init(
                "ring_bytes", \.ring.bytes, .byteCount((1 << 20)...(1 << 30)), .worker, of: ["v4l2", "rtsp", "file"],
                "most memory for encoded frames, of `ring` and `keyframes` together")),
        .init(
            "path", \.path, .file, .worker, of: ["file", "images"],
            "a video file; for images a folder or a glob, in the order of names"),
        .init("loop", \.loop, .boolean, .worker, of: ["file", "images"], "begin again at the end"),
        .init(
            "pace", \.pace, .choice(), .worker, of: ["file", "images"],
            "`fast`: every frame, reproducibly; `realtime`: like a camera, newest wins"),
        .init(
            "pattern", \.pattern, .testPattern, .worker, of: ["test"],
            "the built-in scene, or a pattern of `videotestsrc`"),
        .init(
            "frames", \.frames, .integer(0...1_000_000_000), .worker, of: ["test"],
            "number of frames, all of them processed; 0: endless, in real time"),
        .init(
            "launch", \.launch, .launchText, .worker, of: ["launch"],
            required: #"such as launch = "v4l2src ! videoconvert""#,
            "GStreamer text that ends in raw video; its password is `{password}`"))
}

extension SourceKeys {
    fileprivate init(_ reader: TableReader) {
        self = .standard
        decode(reader)
        if let kind { decode(reader, of: kind.rawValue) }
        Self.refuse(reader, of: kind?.rawValue, "kind \"\(kind?.rawValue ?? "")\"") { _, kinds in
            "it belongs to kind " + kinds.map { "\"\($0)\"" }.joined(separator: " and ")
        }
    }

    /// nil if an error has been reported.
    fileprivate func kind(_ reader: TableReader) -> SourceKind? {
        switch kind {
        case .v4l2:
            checkIdling(reader)
            checkRing(reader)
            return .v4l2(device: device)
        case .rtsp:
            checkUser(reader)
            checkIdling(reader)
            checkRing(reader)
            return .rtsp(
                RTSPSettings(url: url, user: user, password: password, transport: transport, latency: latency))
        case .file:
            requirePath(reader, "clip.mp4")
            checkRing(reader)
            return .file(path: path, loop: loop, pace: pace)
        case .images:
            requirePath(reader, "pictures/*.jpg")
            return .images(path: path, loop: loop, pace: pace)
        case .test: return .test(pattern: pattern, frames: frames)
        case .launch:
            checkPassword(reader)
            checkIdling(reader)
            return .launch(launch, password: password)
        case nil: return nil
        }
    }

    private func requirePath(_ reader: TableReader, _ example: String) {
        if !reader.has("path") { reader.report("path", "path is missing", suggestion: "such as path = \"\(example)\"") }
    }

    private func checkIdling(_ reader: TableReader) {
        guard idling.mode == .decode else { return }
        for key in ["idle_after", "idle_every"] where reader.has(key) {
            reader.report(key, "\(key) applies only with idle = \"keyframes\"")
        }
    }

    private func checkRing(_ reader: TableReader) {
        if reader.has("ring_bytes"), ring.duration == .zero, kind != .rtsp || idling.mode == .decode {
            let orIdle = kind == .rtsp ? " or with idle = \"keyframes\"" : ""
            reader.report("ring_bytes", "ring_bytes applies only with ring\(orIdle)")
        }
        guard kind == .file, reader.has("ring") else { return }
        if pace != .realtime { reader.report("ring", "ring applies to a file only with pace = \"realtime\"") }
        if loop {
            reader.report("ring", "ring and loop = true exclude each other", suggestion: "remove one of them")
        }
    }

    private func checkUser(_ reader: TableReader) {
        let key = PasswordSource.check(reader, "password")
        if let key, !reader.has("user") {
            reader.report(key, "\(key) needs the key user", suggestion: "add user = \"NAME\"")
        }
        if key == nil, reader.has("user") {
            let keys = PasswordSource.keys(of: "password").joined(separator: ", ")
            reader.report("user", "user needs a password", suggestion: "exactly one of \(keys)")
        }
    }

    private func checkPassword(_ reader: TableReader) {
        let key = PasswordSource.check(reader, "password")
        guard !launch.isEmpty else { return }
        if launch.contains(LaunchPassword.placeholder), key == nil {
            reader.report(
                "launch", "launch contains \(LaunchPassword.placeholder), and the password is missing",
                suggestion: "exactly one of \(PasswordSource.keys(of: "password").joined(separator: ", "))")
        }
        if let key, !launch.contains(LaunchPassword.placeholder) {
            reader.report(key, "\(key) goes nowhere", suggestion: LaunchPassword.advice)
        }
    }
}
