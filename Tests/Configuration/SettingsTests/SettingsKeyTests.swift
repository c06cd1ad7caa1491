// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import Settings

/// Checks every row of a key. The value is read into its member, the default is right, and a change has the stated
/// effect.
@Suite struct SettingsKeyTests {
    /// A value other than the default for each key, in TOML. The index is the key's name, or its table and name.
    private static let values = [
        "daemon.pipelines": "\"p\"", "state_dir": "\"/s\"", "models_dir": "\"/m\"", "stop_limit": "\"7s\"",
        "trial": "\"7s\"", "watch_files": "true", "log_level": "\"debug\"", "log_format": "\"json\"",
        "no_images": "true", "socket": "\"/run/x.sock\"", "events.mode": "\"0600\"", "control.mode": "\"0600\"",
        "group": "\"\"", "queue": "\"1MiB\"", "stall_limit": "\"7s\"", "heartbeat": "\"7s\"", "max_subscribers": "7",
        "journal_events": "7", "journal_bytes": "\"1MiB\"", "journal_sync": "\"7s\"",
        "retention.events": "[\"8d\", \"1GiB\"]", "retention.history": "\"7s\"",
        "retention.pictures": "[\"7s\", \"1MiB\"]", "retention.clips": "[\"7s\", \"1MiB\"]",
        "allow_users": "[\"root\"]", "allow_groups": "[\"root\"]",
        "max_per_user": "7", "restart_backoff": "[\"1s\", \"2s\"]", "crash_limit": "7", "crash_window": "\"7s\"",
        "memory_limit": "\"1GiB\"", "thread_limit": "7", "nice": "7", "cpu_weight": "7", "cpu_limit": "0.5",
        "crash_dump": "true", "sandbox": "\"off\"",

        "line.from": "[0.5, 0.25]", "line.to": "[0.5, 0.75]", "line.anchor": "\"centre\"",
        "line.labels": "[\"person\"]",
        "name": "\"other\"", "enabled": "false", "tags": "{ a = \"1\" }", "width": "64", "height": "64", "fps": "7",
        "rotation": "90", "mirror": "true", "decode_threads": "3", "decoder": "\"va\"", "every": "2",
        "on_demand": "true", "linger": "\"7s\"\non_demand = true", "gate.enabled": "false",
        "refresh": "\"7s\"", "device": "\"/dev/video7\"", "url": "\"rtsp://other/\"",
        "user": "\"anna\"", "password_file": "\"/p\"", "password_env": "\"P\"", "password_credential": "\"p\"",
        "idle": "\"keyframes\"", "idle_after": "\"7s\"\nidle = \"keyframes\"",
        "idle_every": "\"3s\"\nidle = \"keyframes\"", "ring": "\"7s\"", "ring_bytes": "\"7MiB\"\nring = \"7s\"",
        "transport": "\"udp\"", "latency": "\"7s\"", "path": "\"/other\"", "loop": "true", "pace": "\"realtime\"",
        "pattern": "\"ball\"", "frames": "7", "launch": "\"other\"", "kind": "\"launch\"\nlaunch = \"a\"",

        "roi": "[0.0, 0.0, 0.5, 0.5]", "max_rate": "7", "model": "\"other\"", "mode": "\"accurate\"",
        "object.mode": "\"single\"", "landmarks": "false", "classification": "true", "min_size": "0.33",
        "check_min_size": "false", "prominent_only": "true", "confidence": "0.33", "threads": "3",
        "formats": "[\"qr_code\"]", "effort": "\"fast\"", "scan": "\"frame\"", "identity": "\"value\"",
        "confirm_reads": "3", "report_undecoded": "true", "cooldown": "\"4s\"", "allow": "[\"x\"]", "deny": "[\"x\"]",
        "parse_values": "false", "redact": "[\"wifi\"]", "multiple": "false", "max_objects": "7", "classify": "true",
        "class_agnostic": "true", "any": "true", "labels": "[\"car\"]", "label_confidence": "0.3", "max_labels": "3",
        "still_after": "\"3s\"", "top": "7", "hysteresis": "0.4", "smoothing": "\"3s\"", "preset": "\"erratic\"",
        "hits": "7", "max_gap": "\"7s\"", "max_gap_frames": "7", "low": "0.2", "high": "0.7", "birth": "0.8",
        "certain": "0.95", "capacity": "7", "reentry": "\"3s\"", "camera_shift": "false", "smoothed_box": "true",
        "tracking.enabled": "false", "smoothed_landmarks": "false", "landmark_hold": "\"3s\"",
        "confusable": "[[\"car\", \"truck\"]]", "focus": "\"central\"", "scene.tracking.focus": "\"value\"",
        "focus_value": "\"x\"",

        "polygon": "[[0, 0], [1, 0], [0, 1]]", "kinds": "[\"face\"]", "anchor": "\"bottom\"", "dwell": "\"3s\"",
        "external.kind": "\"sign\"", "command": "[\"b\", \"c\"]", "format": "\"rgb24\"", "network": "true",
        "external.redact": "[\"x\"]",
        "privacy.hold": "\"3s\"", "blur": "[\"face\"]", "style": "\"fill\"", "pictures": "false",
        "clip.on": "[\"object\"]", "covered": "\"encode\"", "before": "\"7s\"", "after": "\"7s\"",
        "max_length": "\"70s\"",
        "on": "[\"detected\", \"best\"]", "region": "\"full\"", "margin": "0.3", "max_width": "64", "quality": "7",
        "caption": "true", "min_score": "0.3", "best_interval": "\"3s\"", "save": "\"accepted\"",
        "accept_within": "\"3s\"\nsave = \"accepted\"", "max_age": "\"3s\"", "max_count": "7",
        "max_bytes": "\"1MiB\"",

        "search.source": "\"any\"", "engine": "\"subscriber\"", "hold": "\"1s\"", "detection_timeout": "\"3s\"",
        "timeout": "\"3s\"", "result_time": "\"3s\"", "failure_time": "\"3s\"", "top_only": "true",
        "help": "\"tel:1\"", "auto": "false", "confirm": "\"700ms\"", "ignore_unknown": "true", "size_check": "true",
        "min_width": "0.3", "delay": "\"3s\"", "x": "0.3", "y": "0.3", "radius": "0.3", "reticle.width": "0.9",
        "file": "\"/other.index\"", "http.url": "\"https://other/\"", "token_file": "\"/t\"", "token_env": "\"T\"",
        "token_credential": "\"t\"", "retries": "7", "redirects": "3", "private_addresses": "true",
        "ca_file": "\"/c\"",
    ]
    /// Lines that a key needs in order to apply, for the files before and after a change.
    private static let companions = [
        "focus_value": ("tracking.focus = \"value\"\ntracking.focus_value = \"a\"", "tracking.focus = \"value\""),
        "scene.tracking.focus": ("", "tracking.focus_value = \"x\""),
    ]

    /// Expects that no two keys have one member, except for the keys of which one says where a secret is to be had.
    private func expectMembersOfTheirOwn<Table>(_ keys: [SettingsKey<Table>]) {
        #expect(Set(keys.map(\.name)).count == keys.count)
        let values = Set(keys.map { $0.name.replacing(/_(file|env|credential)$/, with: "") })
        #expect(Set(keys.map(\.member)).count == values.count, "\(values.sorted())")
    }

    private func otherValue(of name: String) -> String? {
        let parts = name.split(separator: ".")
        return (0..<parts.count).lazy.compactMap { Self.values[parts[$0...].joined(separator: ".")] }.first
    }

    /// - Parameters:
    ///   - name: of the table, with dots.
    ///   - file: a file's text around lines of the table, for a kind of it.
    ///   - read: the table of a file's text.
    ///   - change: what the change from one file's text to another takes; nil: this table's owner cannot tell.
    private func check<Table: KeyedTable>(
        _ name: String, _ file: (String, String?) -> String, _ read: (String) throws -> Table,
        change: (String, String) throws -> SettingsChange?
    ) throws {
        expectMembersOfTheirOwn(Table.keys)
        for key in Table.keys {
            let full = name.isEmpty ? key.name : "\(name).\(key.name)"
            let value = try #require(otherValue(of: full), "\(full): no other value to test it with")
            let (linesBefore, linesAfter) =
                Self.companions[full] ?? Self.companions[String(full.split(separator: ".").last ?? "")] ?? ("", "")
            for kind in key.kinds.isEmpty ? [nil] : key.kinds.map(Optional.some) {
                let before = file(linesBefore, kind)
                let after = file("\(key.name) = \(value)\n\(linesAfter)", kind)
                let (plain, table) = (try read(before), try read(after))
                let alone = !value.contains("\n") && linesAfter.isEmpty
                let differing = Table.keys.filter { $0.differs(plain, table) }
                #expect(Set(differing.map(\.member)).isSuperset(of: [key.member]), "\(full)")
                if alone { #expect(Set(differing.map(\.member)).count == 1, "\(full)") }
                var adopted = plain
                for other in differing { other.adopt(&adopted, table) }
                #expect(adopted == table, "\(full)")
                #expect(try change(before, after) == key.change, "\(full)")
                if alone, let standard = key.standard,
                    !["name", "polygon", "url", "file", "command"].contains(key.name),
                    !["external.kind", "clip.on"].contains(full)
                {
                    #expect(try read(file("\(key.name) = \(standard)\n", kind)) == plain, "\(full)")
                }
            }
        }
    }

    // MARK: The daemon

    @Test func keysOfTheDaemon() throws {
        for table in DaemonSettings.tables {
            #expect(DaemonSettings.keys.contains { $0.name.hasPrefix("\(table).") })
        }
        // ConfigurationPlanTests tests the effect of each change.
        for key in DaemonSettings.keys {
            let value = try #require(otherValue(of: key.name), "\(key.name): no other value to test it with")
            let settings = try DaemonSettings.parse("\(key.name) = \(value)")
            let differing = DaemonSettings.keys.filter { $0.differs(DaemonSettings(), settings) }
            #expect(differing.map(\.name) == [key.name])
            var adopted = DaemonSettings()
            key.adopt(&adopted, settings)
            #expect(adopted == settings)
            let standard = try #require(key.standard, "\(key.name)")
            #expect(try DaemonSettings.parse("\(key.name) = \(standard)") == DaemonSettings())
        }
    }

    // MARK: Pipelines

    private let source = "[source]\nkind = \"test\"\n"

    private func change(_ before: String, _ after: String) throws -> SettingsChange? {
        guard let takeOver = try PipelineSettings.parse(before).takeOver(PipelineSettings.parse(after)) else {
            return .worker
        }
        return takeOver.detectors.isEmpty ? .live : .detector
    }

    private func check<Table: KeyedTable>(_ name: String, _ table: (PipelineSettings) -> Table?) throws {
        try check(
            name, { lines, _ in "\(source)[\(name)]\n\(lines)\n" },
            { text in try #require(table(PipelineSettings.parse(text))) }, change: change)
    }

    @Test func keysOfAPipeline() throws {
        try check("", { lines, _ in "\(lines)\n\(source)" }, { try PipelineSettings.parse($0) }, change: change)
    }

    /// Each detector of `FeatureKind.builtIn`, with its table.
    private let detectors = FeatureKind.builtIn.compactMap { kind in
        try? PipelineSettings.parse("[source]\nkind = \"test\"\n[\(kind.rawValue)]\n").detectors.first?.table
    }

    @Test func keysOfDetectors() throws {
        #expect(detectors.map(\.kind) == FeatureKind.builtIn)
        func check<Table: DetectorTable>(_ table: Table) throws {
            try self.check(table.kind.rawValue) { $0[Table.self] }
        }
        for detector in detectors { try check(detector) }
    }

    @Test func keysOfPrograms() throws {
        let own = ["kind": "kind = \"plate\"", "command": "command = [\"a\"]"]
        func file(_ lines: String, _ kind: String?) -> String {
            let given = own.filter { !lines.hasPrefix("\($0.key) =") }.values.sorted().joined(separator: "\n")
            return "\(source)[external.plates]\n\(given)\n\(lines)\n"
        }
        try check("external", file, { try #require(PipelineSettings.parse($0)[ExternalSettings.self]) }, change: change)
    }

    @Test func keysOfSnapshots() throws { try check("snapshot", \.snapshot) }

    @Test func keysOfClips() throws {
        func file(_ lines: String, _ kind: String?) -> String {
            let source = "[source]\nkind = \"rtsp\"\nurl = \"rtsp://camera/\"\nring = \"1m\"\n"
            let given = lines.hasPrefix("on =") ? "" : "on = [\"face\"]"
            return "\(source)[face]\n[object]\n[clip]\n\(lines)\n\(given)\n"
        }
        try check("clip", file, { try #require(PipelineSettings.parse($0).clip) }, change: change)
    }

    @Test func keysOfZones() throws {
        let own = ["name": "name = \"a\"", "polygon": "polygon = [[0, 0], [1, 0], [1, 1]]"]
        func file(_ lines: String, _ kind: String?) -> String {
            let given = own.filter { !lines.hasPrefix("\($0.key) =") }.values.sorted().joined(separator: "\n")
            return "\(source)[face]\n[[zone]]\n\(lines)\n\(given)\n"
        }
        try check("zone", file, { try #require(PipelineSettings.parse($0).zones.first) }, change: change)
    }

    @Test func keysOfLines() throws {
        let own = ["name": "name = \"a\"", "from": "from = [0, 0]", "to": "to = [1, 0]"]
        func file(_ lines: String, _ kind: String?) -> String {
            let given = own.filter { !lines.hasPrefix("\($0.key) =") }.values.sorted().joined(separator: "\n")
            return "\(source)[scene]\n[[line]]\n\(lines)\n\(given)\n"
        }
        try check("line", file, { try #require(PipelineSettings.parse($0).lines.first) }, change: change)
    }

    @Test func keysOfMasks() throws {
        let own = ["name": "name = \"a\"", "polygon": "polygon = [[0, 0], [1, 0], [1, 1]]"]
        func file(_ lines: String, _ kind: String?) -> String {
            let given = own.filter { !lines.hasPrefix("\($0.key) =") }.values.sorted().joined(separator: "\n")
            return "\(source)[face]\n[[mask]]\n\(lines)\n\(given)\n"
        }
        try check("mask", file, { try #require(PipelineSettings.parse($0).source.masks.first) }, change: change)
    }

    @Test func keysOfPrivacy() throws {
        try check(
            "privacy", { lines, _ in "\(source)[face]\n[privacy]\n\(lines)\n" },
            { try PipelineSettings.parse($0).privacy }, change: change)
    }

    @Test func keysOfSources() throws {
        try check(
            "source", { lines, _ in "[source]\nkind = \"test\"\n\(lines)\n" },
            { try PipelineSettings.parse($0).source }, change: change)
    }

    @Test func keysOfKindsOfSources() throws {
        let own = [
            "v4l2": ["device = \"/dev/video0\""], "rtsp": ["url = \"rtsp://camera/\""], "file": ["path = \"/a\""],
            "images": ["path = \"/a\""], "launch": ["launch = \"a\""],
        ]
        func file(_ lines: String, _ kind: String?) -> String {
            var given = kind.flatMap { own[$0] } ?? []
            // A password needs a user, and a text needs a place for the password.
            if lines.hasPrefix("password"), kind == "rtsp" { given.append("user = \"bertha\"") }
            if lines.hasPrefix("password"), kind == "launch" { given = ["launch = \"{password}\""] }
            if lines.hasPrefix("ring"), kind == "file" { given.append("pace = \"realtime\"") }
            if lines.hasPrefix("user") { given.append("password_env = \"P\"") }
            given.removeAll { $0.prefix { $0 != " " } == lines.prefix { $0 != " " } }
            let kindLine = lines.hasPrefix("kind") ? "" : "kind = \"\(kind ?? "test")\"\n"
            return "[source]\n\(kindLine)\(lines)\n\(given.joined(separator: "\n"))\n"
        }
        func read(_ text: String) throws -> SourceKeys {
            // A required key has no default value, and a password alone is refused. This test reads only the table.
            let reader = try TOMLDocument(Array(text.utf8), file: nil).reader
            var keys = SourceKeys()
            let table = try #require(reader.table("source"))
            keys.decode(table)
            keys.decode(table, of: keys.kind?.rawValue)
            try reader.context.throwIfAny()
            return keys
        }
        expectMembersOfTheirOwn(SourceKeys.keys)
        for key in SourceKeys.keys {
            let value = try #require(
                otherValue(of: "source.\(key.name)"), "\(key.name): no other value to test it with")
            for kind in key.kinds.isEmpty ? [nil] : key.kinds.map(Optional.some) {
                let settings = try PipelineSettings.parse(file("\(key.name) = \(value)", kind))
                let table = try read(file("\(key.name) = \(value)", kind))
                var plain = SourceKeys()
                plain.kind = kind.flatMap(SourceKeys.Kind.init)
                #expect(SourceKeys.keys.contains { $0.member == key.member && $0.differs(plain, table) }, "\(key.name)")
                var other = SourceKeys()
                key.adopt(&other, table)
                #expect(key.differs(SourceKeys(), other), "\(key.name)")
                #expect(key.change == .worker)
                let unlike = try PipelineSettings.parse(source)
                #expect(unlike.takeOver(settings) == nil, "\(key.name)")
            }
        }
    }

    @Test func keysOfSearches() throws {
        func file(_ lines: String, _ kind: String?) -> String {
            let kindLine = lines.hasPrefix("source") || kind == nil ? "" : "source = \"\(kind ?? "")\"\n"
            return "\(source)[object]\n[barcode]\n[search]\n\(kindLine)\(lines)\n"
        }
        try check("search", file, { try #require(PipelineSettings.parse($0).search) }, change: change)
    }

    @Test(arguments: ["classifier", "index", "http"]) func keysOfEngines(engine: String) throws {
        let required = ["index": "file = \"/a\"", "http": "url = \"https://a/\""][engine] ?? ""
        func file(_ lines: String, _ kind: String?) -> String {
            let given = lines.prefix { $0 != " " } == required.prefix { $0 != " " } ? "" : required
            return "\(source)[object]\n[search]\nengine = \"\(engine)\"\n[search.\(engine)]\n\(lines)\n\(given)\n"
        }
        func search(_ text: String) throws -> SearchSettings { try #require(PipelineSettings.parse(text).search) }
        switch engine {
        case "classifier":
            try check("search.classifier", file, { try #require(search($0).classifier) }, change: change)
        case "index": try check("search.index", file, { try #require(search($0).index) }, change: change)
        default: try check("search.http", file, { try #require(search($0).http) }, change: change)
        }
    }

    // MARK: Detectors

    @Test func theStrongestChangeOfSettingsCounts() throws {
        func settings(_ lines: String) throws -> PipelineSettings { try PipelineSettings.parse("\(source)\(lines)\n") }
        let old = try settings("[face]\n[object]\n[scene]")
        let new = try settings(
            "[face]\nmax_rate = 3\n[object]\ntracking.low = 0.05\ntracking.hits = 3\n[scene]\nroi = [0.0, 0.0, 0.5, 0.5]"
        )
        #expect(old.takeOver(new)?.detectors == ["object", "scene"])
        #expect(old.takeOver(try settings("[face]\nmax_rate = 3\nmode = \"accurate\"\n[object]\n[scene]")) == nil)
    }

    /// A change of a key changes the detector's input exactly if the key's row says so.
    @Test func theRowOfAKeySaysWhetherADetectorSeesItsChange() throws {
        func expect<Table: DetectorTable>(_ table: Table) throws {
            func read(_ lines: String) throws -> Table {
                let reader = try TOMLDocument(Array("[d]\n\(lines)\n".utf8), file: nil).reader
                return try Table(#require(reader.table("d")))
            }
            for key in Table.keys where !key.name.hasPrefix("tracking.focus") {
                let value = try #require(otherValue(of: "\(table.kind.rawValue).\(key.name)"))
                #expect(try table.sees(as: read("\(key.name) = \(value)")) == !key.isSeen, "\(key.name)")
            }
        }
        for detector in detectors { try expect(detector) }
    }
}
