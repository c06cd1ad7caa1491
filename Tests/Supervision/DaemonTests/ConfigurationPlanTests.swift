// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

@testable import Daemon
@testable import Settings

/// The difference between two configuration folders.
@Suite struct ConfigurationPlanTests {
    private let scope = TestScope()
    private let base = "[source]\nkind = \"test\"\nwidth = 640\nheight = 480\n[face]\nmin_size = 0.2\n"

    private func configuration(_ name: String, daemon: String = "", _ pipelines: [String: String]) throws
        -> Configuration
    {
        let file = scope.write("\(name)/config.toml", daemon)
        scope.write("\(name)/pipelines/.keep", "")
        for (pipeline, text) in pipelines { scope.write("\(name)/pipelines/\(pipeline).toml", text) }
        return try Configuration(ConfigurationCheck(file: file))
    }

    @Test func theConfigurationPlanListsAddedRemovedAndChangedPipelines() throws {
        let old = try configuration("old", ["a": base, "b": base, "c": base, "off": "enabled = false\n" + base])
        let new = try configuration(
            "new", ["a": base, "b": base.replacing("640", with: "1280"), "d": base, "off": base])
        let plan = ConfigurationPlan(from: old, to: new)
        #expect(plan.added == ["d", "off"])
        #expect(plan.removed == ["c"])
        #expect(plan.changed == [.init(name: "b", keys: ["source.width"], means: .newWorker)])
        #expect(plan.unchanged == ["a"])
        #expect(plan.affected == ["b", "c", "d", "off"])
        #expect(plan.applied == [] && plan.needsRestart == [] && !plan.isEmpty)
        #expect(plan.result.pipelines.keys.sorted() == ["a", "b", "d", "off"])
        let back = ConfigurationPlan(from: plan.result, to: old)
        #expect(back.removed == ["d", "off"] && back.added == ["c"] && back.changed.map(\.name) == ["b"])
    }

    @Test(
        arguments: [
            ("640", "1280", ["source.width"]), ("min_size = 0.2", "min_size = 0.2 # comment", nil),
            ("min_size = 0.2", "", ["face.min_size"]), ("[face]", "[barcode]\n[face]", ["barcode"]),
            ("width = 640\nheight = 480", "height = 480\nwidth = 640", nil),
            ("[source]", "name = \"p\"\n[source]", nil), ("[source]", "enabled = true\n[source]", nil),
            ("[source]", "tags = { a = \"1\" }\n[source]", ["tags.a"]),
            (
                "[face]\nmin_size = 0.2", "[face]\nmin_size = 0.3\nroi = [0.0, 0.0, 0.5, 0.5]",
                ["face.min_size", "face.roi"]
            ),
            ("kind = \"test\"", "kind = \"test\"\nmirror = false", nil),
        ] as [(String, String, [String]?)])
    func onlyAChangeOfMeaningIsAConfigurationChange(text: String, replacement: String, keys: [String]?) throws {
        let old = try configuration("old", ["p": base])
        let new = try configuration("new", ["p": base.replacing(text, with: replacement)])
        let plan = ConfigurationPlan(from: old, to: new)
        #expect(plan.changed.map(\.keys) == (keys.map { [$0] } ?? []))
        #expect(plan.isEmpty == (keys == nil))
    }

    /// The changes that a running worker can apply. Any other change needs a new worker.
    @Test(
        arguments: [
            ("max_rate = 5", .sameWorker), ("roi = [0.0, 0.0, 0.5, 0.5]", .sameWorker),
            ("confidence = 0.5", .sameWorker), ("prominent_only = true", .sameWorker),
            ("[face.tracking]\nmax_gap = \"3s\"\nhits = 4", .sameWorker), ("model = \"cascade\"", .newWorker),
            ("enabled = false", .newWorker), ("[face.tracking]\nfocus = \"largest\"", .newWorker),
            ("[barcode]", .newWorker), ("max_rate = 5\nmode = \"accurate\"", .newWorker),
        ] as [(String, ConfigurationPlan.Means)])
    func aConfigurationChangeReachesAPipeline(lines: String, means: ConfigurationPlan.Means) throws {
        let old = try configuration("old", ["p": base])
        let new = try configuration("new", ["p": base + lines + "\n"])
        #expect(ConfigurationPlan(from: old, to: new).changed.map(\.means) == [means])
        #expect(ConfigurationPlan(from: new, to: old).changed.map(\.means) == [means])
    }

    @Test(
        arguments: [
            ("effort = \"fast\"", .sameWorker), ("deny = [\"x\"]", .sameWorker), ("redact = [\"wifi\"]", .newWorker),
        ]
            as [(String, ConfigurationPlan.Means)])
    func aConfigurationChangeReachesABarcodeReader(line: String, means: ConfigurationPlan.Means) throws {
        let plan = ConfigurationPlan(
            from: try configuration("old", ["p": base + "[barcode]\n"]),
            to: try configuration("new", ["p": base + "[barcode]\n\(line)\n"]))
        #expect(plan.changed.map(\.means) == [means])
    }

    @Test func aRenamedFileDoesNotChangeItsPipeline() throws {
        let text = "name = \"door\"\n" + base
        let plan = ConfigurationPlan(
            from: try configuration("old", ["a": text]), to: try configuration("new", ["b": text]))
        #expect(plan.isEmpty && plan.unchanged == ["door"])
        #expect(plan.result.worker("door")?.file.hasSuffix("new/pipelines/b.toml") == true)
    }

    @Test func keysOfTheDaemonAreAppliedOrWaitForARestart() throws {
        let old = try configuration("old", ["a": base])
        let new = try configuration(
            "new", daemon: "[daemon]\nstop_limit = \"9s\"\n[events]\nsocket = \"/e\"\n[workers]\ncrash_limit = 9\n",
            ["a": base])
        let plan = ConfigurationPlan(from: old, to: new)
        #expect(plan.applied == ["daemon.stop_limit", "workers.crash_limit"])
        #expect(plan.needsRestart == ["events.socket"])
        #expect(plan.unchanged == ["a"])
        #expect(plan.result.daemon.daemon.stopLimit == .seconds(9) && plan.result.daemon.workers.crashLimit == 9)
        // The next reload compares with the settings in force, so the report repeats the key.
        #expect(plan.result.daemon.events.socket == old.daemon.events.socket)
        #expect(ConfigurationPlan(from: plan.result, to: new).needsRestart == ["events.socket"])
    }

    @Test func aChangeOfTheModelsFolderReplacesTheWorker() throws {
        let old = try configuration("old", ["a": base])
        let new = try configuration("new", daemon: "[daemon]\nmodels_dir = \"/m\"\n", ["a": base])
        let plan = ConfigurationPlan(from: old, to: new)
        #expect(plan.changed == [.init(name: "a", keys: ["daemon.models_dir"], means: .newWorker)])
        #expect(plan.result.worker("a")?.modelsDirectory == "/m")
    }

    /// A plan contains no values, because a value may be a secret.
    @Test func valuesAreNotInTheConfigurationPlan() throws {
        let rtsp = { (user: String) in
            "[source]\nkind = \"rtsp\"\nurl = \"rtsp://h/\"\nuser = \"\(user)\"\npassword_env = \"P\"\n[face]\n"
        }
        let plan = ConfigurationPlan(
            from: try configuration("old", ["a": rtsp("anna")]), to: try configuration("new", ["a": rtsp("bertha")]))
        #expect(plan.changed == [.init(name: "a", keys: ["source.user"], means: .newWorker)])
        var line = ""
        dump(plan.changed, to: &line)
        #expect(!line.contains("anna") && !line.contains("bertha"))
    }

    /// Other values of keys for which `other` finds none.
    private static let others = [
        "daemon.log_format": "\"json\"", "retention.events": "[\"8d\", \"1GiB\"]",
        "retention.pictures": "[\"8d\", \"1MiB\"]", "retention.clips": "[\"8d\", \"1MiB\"]",
    ]

    /// A changed key is applied, replaces workers or waits for a restart, as its row says.
    @Test(arguments: DaemonSettings.keys.map(\.name)) func aConfigurationChangeHasTheEffectOfItsKeyRow(name: String)
        throws
    {
        let key = try #require(DaemonSettings.keys.first { $0.name == name })
        let old = try configuration("old", ["a": base])
        var new = old
        let value = Self.others[name] ?? Self.other(than: key.standard ?? "")
        new.daemon = try DaemonSettings.parse("\(name) = \(value)")
        let plan = ConfigurationPlan(from: old, to: new)
        #expect(plan.applied == (key.change == .live ? [name] : []))
        #expect(plan.changed.flatMap(\.keys) == (key.change == .worker ? [name] : []))
        #expect(plan.needsRestart == (key.change == .restart ? [name] : []))
        #expect((plan.result.daemon == new.daemon) == (key.change != .restart))
    }

    /// Another value of the type of a daemon's key.
    private static func other(than standard: String) -> String {
        switch standard {
        case "true", "false": standard == "true" ? "false" : "true"
        case "[]": "[\"root\"]"
        case "\"info\"": "\"debug\""
        case "\"auto\"": "\"off\""
        case "\"0660\"": "\"0600\""
        case "\"\"", "\"0\"": "\"1GiB\""
        case let text where text.hasPrefix("["): "[\"1s\", \"2s\"]"
        case let text where text.hasSuffix("B\""): "\"1MiB\""
        case let text where text.hasPrefix("\""): "\"7s\""
        default: "7"
        }
    }
}

@Suite struct TrialsTests {
    private let scope = TestScope()

    private func file(_ width: Int) throws -> PipelineFile {
        let bytes = Array("[source]\nkind = \"test\"\nwidth = \(width)\nheight = 480\n[face]\n".utf8)
        let document = try TOMLDocument(bytes, file: "a.toml")
        return PipelineFile(
            try PipelineSettings.read(document, file: "a.toml"), text: String(decoding: bytes, as: UTF8.self),
            document: document)
    }

    @Test func aTrialConfigurationPassesIfItWorksAndElseIsRolledBack() throws {
        var trials = Trials()
        let (start, old) = (ContinuousClock.now, try file(1))
        trials.begin("a", old: old, until: start + .seconds(10))
        trials.begin("b", old: old, until: start + .seconds(10))
        trials.begin("c", old: old, until: start + .seconds(20))
        #expect(trials.check(at: start + .seconds(9)) { _ in false } == [])
        #expect(trials.check(at: start + .seconds(9)) { $0 == "a" } == [.passed("a")])
        #expect(trials.check(at: start + .seconds(10)) { _ in false } == [.failed("b", old)])
        #expect(trials.isTried("c") && !trials.isTried("a"))
        trials.end("c")
        #expect(trials.isEmpty)
    }

    @Test func aSecondConfigurationChangeRollsBackToTheLastWorkingOne() throws {
        var trials = Trials()
        let (start, working, untried) = (ContinuousClock.now, try file(1), try file(2))
        trials.begin("a", old: working, until: start + .seconds(10))
        trials.begin("a", old: untried, until: start + .seconds(15))
        #expect(trials.check(at: start + .seconds(14)) { _ in false } == [])
        #expect(trials.check(at: start + .seconds(15)) { _ in false } == [.failed("a", working)])
    }
}
