extension SourceSettings {
    /// nil if there is no telling what the source is; that is then reported.
    init?(_ reader: TableReader) {
        let name = reader.value("kind", .choice() as ValueFormat<SourceKind.Name>)
        if name == nil, !reader.has("kind") {
            reader.report(
                "kind", "kind is missing",
                suggestion: "one of " + SourceKind.Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
        }
        let kind = name.flatMap { SourceKind($0, reader) }
        reader.refuseKeysOfOtherKinds(than: name)
        // Without a kind the other keys are still checked, and nil comes back at the end.
        self.init(kind: kind ?? .test())
        reader.read("width", .integer(1...16384), into: &width)
        reader.read("height", .integer(1...16384), into: &height)
        reader.read("fps", .frameRate, into: &fps)
        reader.read("rotation", .rotation, into: &rotation)
        reader.read("mirror", .boolean, into: &mirror)
        reader.read("decode_threads", .integer(0...64), into: &decodeThreads)
        reader.read("every", .integer(1...1000), into: &every)
        reader.read("stall_limit", .duration, into: &stallLimit)
        reader.read("on_demand", .boolean, into: &onDemand)
        reader.read("linger", .duration(.zero...(.seconds(86400))), into: &linger)
        if reader.has("linger"), !onDemand {
            reader.report("linger", "linger applies only with on_demand = true")
        }
        reader.finish(hints: [
            "password": "a password does not stand in this file: use password_file, password_env or password_credential"
        ])
        if kind == nil { return nil }
    }
}

extension SourceKind {
    enum Name: String, CaseIterable {
        case v4l2, rtsp, file, images, test, launch

        /// The keys that only some kinds have.
        var keys: [String] {
            switch self {
            case .v4l2: ["device"]
            case .rtsp:
                ["url", "user", "password_file", "password_env", "password_credential", "transport", "latency"]
            case .file, .images: ["path", "loop", "pace"]
            case .test: ["pattern", "frames"]
            case .launch: ["launch"] + PasswordSource.keys(of: "password")
            }
        }
    }

    fileprivate init?(_ name: Name, _ reader: TableReader) {
        switch name {
        case .v4l2:
            guard let device = reader.required("device", .devicePath, example: "\"/dev/video0\"") else { return nil }
            self = .v4l2(device: device)
        case .rtsp:
            guard let settings = RTSPSettings(reader) else { return nil }
            self = .rtsp(settings)
        case .file, .images:
            var loop = false
            var pace = Pace.fast
            let example = name == .file ? "\"clip.mp4\"" : "\"pictures/*.jpg\""
            let path = reader.required("path", .path, example: example).map { reader.resolve($0, key: "path") }
            reader.read("loop", .boolean, into: &loop)
            reader.read("pace", .choice(), into: &pace)
            guard let path else { return nil }
            self =
                name == .file
                ? .file(path: path, loop: loop, pace: pace) : .images(path: path, loop: loop, pace: pace)
        case .test:
            var pattern = "scene"
            var frames = 0
            reader.read("pattern", .testPattern, into: &pattern)
            reader.read("frames", .integer(0...1_000_000_000), into: &frames)
            self = .test(pattern: pattern, frames: frames)
        case .launch:
            let text = reader.required("launch", .launchText, example: "\"v4l2src ! videoconvert\"")
            let password = PasswordSource(reader, of: "password")
            guard let text else { return nil }
            let key = PasswordSource.keys(of: "password").first { reader.has($0) }
            if text.contains(LaunchPassword.placeholder), key == nil {
                reader.report(
                    "launch", "launch has \(LaunchPassword.placeholder) in it and there is no password",
                    suggestion: "exactly one of \(PasswordSource.keys(of: "password").joined(separator: ", "))")
            }
            if let key, !text.contains(LaunchPassword.placeholder) {
                reader.report(key, "\(key) goes nowhere", suggestion: LaunchPassword.advice)
            }
            self = .launch(text, password: password)
        }
    }
}

extension TableReader {
    /// Like `value`, and reports an absent key.
    func required<Value>(_ key: String, _ format: ValueFormat<Value>, example: String) -> Value? {
        if !has(key) { report(key, "\(key) is missing", suggestion: "such as \(key) = \(example)") }
        return value(key, format)
    }

    /// The absolute path. A relative path in a file starts at that file's folder; one given by argument, at the working directory.
    func resolve(_ path: String, key: String) -> String {
        let isArgument = context.argument(for: self.path + [key]) != nil
        let folder = isArgument ? nil : context.file.flatMap(FilePath.folder)
        return FilePath.absolute(folder.map { FilePath.join($0, path) } ?? path)
    }

    fileprivate func refuseKeysOfOtherKinds(than kind: SourceKind.Name?) {
        for key in keys where !(kind?.keys.contains(key) ?? false) {
            let owners = SourceKind.Name.allCases.filter { $0.keys.contains(key) }.map { "\"\($0.rawValue)\"" }
            guard !owners.isEmpty else { continue }
            if let kind {
                report(
                    key, "\(key) does not apply to kind \"\(kind.rawValue)\"",
                    suggestion: "it belongs to kind \(owners.joined(separator: " and "))")
            } else {
                ignore(key)
            }
        }
    }
}
