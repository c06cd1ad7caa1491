// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import GlimpseTesting
import Relay
import Settings
import Testing

@Suite struct RelaySettingsTests {
    private func problems(_ text: String) -> [String] {
        do throws(ConfigurationErrors) {
            _ = try RelaySettings.parse(bytes: Array(text.utf8))
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    @Test func aSmallFileHasTheDefaults() throws {
        let settings = try RelaySettings.parse(
            bytes: Array("[[mqtt]]\nname = \"home\"\nurl = [\"mqtts://a\", \"mqtt://[::1]:18\"]".utf8))
        #expect(settings.events == "/run/glimpsed/events.sock" && settings.brokers.count == 1)
        #expect(settings.brokers[0].addresses.map(\.text) == ["mqtts://a:8883", "mqtt://[::1]:18"])
        #expect(settings.brokers[0].replayRate == 200 && settings.brokers[0].start == .now)
    }

    @Test(arguments: [
        ("", "there is no destination"),
        ("[[mqtt]]\nurl = \"mqtt://a\"", "name is missing"),
        ("[[mqtt]]\nname = \"a b\"\nurl = \"mqtt://a\"", "name must be at most 64 of letters"),
        ("[[mqtt]]\nname = \"a\"", "url is missing"),
        ("[[mqtt]]\nname = \"a\"\nurl = \"http://a\"", "url must be an address such as"),
        ("[[mqtt]]\nname = \"a\"\nurl = \"mqtt://u:secret@a\"", "url must be an address such as"),
        ("[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a:70000\"", "url must be an address such as"),
        ("[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"\nuser = \"u\"", "would send the password over the network"),
        (
            "[[mqtt]]\nname = \"a\"\nurl = \"mqtt://127.broker.example\"\nuser = \"u\"\npassword_env = \"P\"",
            "would send the password over the network"
        ),
        ("[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"\npassword_env = \"P\"", "password_env needs a user"),
        ("[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"\npassword = \"x\"", "a password does not stand in this file"),
        ("[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"\ncert_file = \"c\"", "cert_file and key_file need each other"),
        ("[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"\ntypes = [\"zones\"]", "did you mean \"zone\""),
        ("[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"\nprefix = \"a/#\"", "prefix must be a topic"),
        (
            "[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"\n[[mqtt]]\nname = \"a\"\nurl = \"mqtt://b\"",
            "another destination's"
        ),
        ("box = \"a.b\"\n[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"", "box must be at most 64 of letters"),
        ("event = \"x\"\n[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"", "did you mean \"events\""),
    ])
    func aWrongSettingIsOneClearError(text: String, expected: String) {
        let problems = problems(text)
        #expect(problems.count == 1 && problems[0].contains(expected), "\(problems)")
        #expect(!problems.joined().contains("secret"))
    }

    @Test func checkPrintsEveryProblemAndExits78() {
        let scope = TestScope()
        let path = scope.write("relay.toml", "box = \"a.b\"\n[[mqtt]]\nname = \"a\"\nurl = \"http://a\"\n")
        let wrong = Program.run(Program.built("glimpsed-relay"), ["--check", "--config", path])
        #expect(wrong.status == 78 && wrong.errors.split(separator: "\n").count == 2, "\(wrong)")
        scope.write("relay.toml", "[[mqtt]]\nname = \"a\"\nurl = \"mqtt://a\"\n")
        #expect(Program.run(Program.built("glimpsed-relay"), ["--check", "--config", path]).status == 0)
    }
}

@Suite struct CursorFileTests {
    @Test func aCursorIsReadBack() throws {
        let scope = TestScope()
        let file = CursorFile(folder: scope.folder, destination: "home")
        #expect(try file.load() == nil)
        try file.store(Position(runID: "ab", sequence: 7))
        try file.store(Position(runID: "ab", sequence: 8))
        #expect(try file.load() == Position(runID: "ab", sequence: 8))
    }

    @Test func aDamagedCursorIsAnErrorAndAFullDiskKeepsTheOldOne() throws {
        let scope = TestScope()
        scope.write("home.cursor", "{\"run_id\":\"a")
        #expect(throws: DurableFile.Failure.self) {
            try CursorFile(folder: scope.folder, destination: "home").load()
        }
        // A folder in the way stands for a disk that takes nothing.
        let file = CursorFile(folder: scope.folder, destination: "full")
        try file.store(Position(runID: "ab", sequence: 7))
        scope.write("full.cursor.new/x", "")
        #expect(throws: DurableFile.Failure.self) { try file.store(Position(runID: "ab", sequence: 8)) }
        #expect(try file.load()?.sequence == 7)
    }
}
