// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Relay
import Settings
import Testing

@Suite struct WebhookSettingsTests {
    private let scope = TestScope()

    private func problems(_ text: String) -> [String] {
        do throws(ConfigurationErrors) {
            _ = try RelaySettings.parse(bytes: Array(text.utf8))
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    @Test func aSmallWebhookHasTheDefaults() throws {
        let settings = try RelaySettings.parse(
            bytes: Array("[[webhook]]\nname = \"a\"\nurl = \"HTTPS://example.org:81/hook?key=1\"".utf8))
        let webhook = try #require(settings.webhooks.first)
        #expect(settings.brokers.isEmpty && webhook.types == ["completed"] && webhook.batch == 100)
        #expect(webhook.batchWait == .seconds(1) && webhook.timeout == .seconds(10))
        #expect(webhook.retryFor == .seconds(86_400) && webhook.secret == nil && webhook.start == .now)
        #expect("\(webhook.address)" == "https://example.org:81" && webhook.address.host == .name)
    }

    @Test(arguments: [
        ("http://localhost", HostKind.loopback), ("http://127.1.2.3:80/a", .loopback),
        ("http://[::1]:8080/", .loopback), ("https://10.0.0.1/", .address), ("https://[fe80::1]/", .address),
        ("https://127.evil.example/", .name), ("https://2130706433/", .name), ("https://localhost.evil.example", .name),
    ])
    func theHostOfAnAddressIsKnown(url: String, host: HostKind) throws {
        let settings = try RelaySettings.parse(bytes: Array("[[webhook]]\nname = \"a\"\nurl = \"\(url)\"".utf8))
        #expect(settings.webhooks.first?.address.host == host)
    }

    @Test(arguments: [
        ("name = \"a\"", "url is missing"),
        ("url = \"https://a\"", "name is missing"),
        ("name = \"a\"\nurl = \"http://a/key\"", "url must begin with https://"),
        ("name = \"a\"\nurl = \"http://127.evil.example/key\"", "url must begin with https://"),
        ("name = \"a\"\nurl = \"http://2130706433/key\"", "url must begin with https://"),
        ("name = \"a\"\nurl = \"http://127.0.0.1@evil.example/key\"", "url must be an address such as"),
        ("name = \"a\"\nurl = \"https://u:key@a/\"", "url must be an address such as"),
        ("name = \"a\"\nurl = \"https://a:0/key\"", "url must be an address such as"),
        ("name = \"a\"\nurl = \"https://a b/key\"", "url must be an address such as"),
        ("name = \"a\"\nurl = \"https://a%2eb/key\"", "url must be an address such as"),
        ("name = \"a\"\nurl = \"ftp://a/key\"", "url must be an address such as"),
        ("name = \"a\"\nurl = \"https://[::1/key\"", "url must be an address such as"),
        ("name = \"a\"\nurl = 5", "url must be a string"),
        ("name = \"a\"\nurl = \"https://a\"\nsecret = \"key\"", "a secret does not stand in this file"),
        ("name = \"a\"\nurl = \"https://a\"\nsecret_env = \"A\"\nsecret_credential = \"B\"", "are both given"),
        ("name = \"a\"\nurl = \"https://a\"\nsecret_file = \"/nowhere/x\"", "secret_file /nowhere/x does not exist"),
        ("name = \"a\"\nurl = \"https://a\"\nbatch = 0", "batch must be 1 to 1000"),
        ("name = \"a\"\nurl = \"https://a\"\nbatch_wait = \"1\"", "batch_wait must be a duration"),
        ("name = \"a\"\nurl = \"https://a\"\ntimeout = \"10ms\"", "timeout must be 100ms to 10m"),
        ("name = \"a\"\nurl = \"https://a\"\nretry_for = \"0s\"", "retry_for must be 1s to 365d"),
        ("name = \"a\"\nurl = \"https://a\"\ntypes = [\"complete\"]", "did you mean \"completed\""),
        ("name = \"a\"\nurl = \"https://a\"\ntypes = []", "types must not be empty"),
        ("name = \"a\"\nurl = \"https://a\"\nretries = 3", "unknown key \"retries\""),
        ("name = \"a\"\nurl = \"https://a\"\nprefix = \"x\"", "unknown key \"prefix\""),
        (
            "name = \"a\"\nurl = \"https://a\"\n[[mqtt]]\nname = \"a\"\nurl = \"mqtt://b\"",
            "another destination's"
        ),
    ])
    func aWrongKeyIsOneClearError(text: String, expected: String) {
        let problems = problems("[[webhook]]\n\(text)")
        #expect(problems.count == 1 && problems[0].contains(expected), "\(problems)")
        // A path may hold a key of the service.
        #expect(!problems.joined().contains("key@") && !problems.joined().contains("/key"))
    }

    @Test func checkNamesFileLineAndKeyOfEachProblemAndExits78() {
        scope.write("open", "secret\n")
        chmod(scope.path("open"), 0o644)
        let path = scope.write(
            "relay.toml",
            "[[webhook]]\nname = \"a\"\nurl = \"http://a\"\nbatch = 0\nsecret_file = \"open\"\nbatches = 1\n")
        let wrong = Program.run(Program.built("glimpsed-relay"), ["--check", "--config", path])
        let lines = wrong.errors.split(separator: "\n")
        #expect(wrong.status == 78 && lines.count == 4, "\(wrong)")
        let expected = [
            "3: [webhook.0] url ", "4: [webhook.0] batch ", "5: [webhook.0] secret_file ",
            "6: [webhook.0] unknown key \"batches\"",
        ]
        for (line, text) in zip(lines, expected) {
            #expect(line.hasPrefix("\(path):\(text)"), "\(line)")
        }
        chmod(scope.path("open"), 0o640)
        scope.write("relay.toml", "[[webhook]]\nname = \"a\"\nurl = \"https://a\"\nsecret_file = \"open\"\n")
        let right = Program.run(Program.built("glimpsed-relay"), ["--check", "--config", path])
        #expect(right.status == 0 && right.errors.contains("no errors; 1 destination"), "\(right)")
    }
}

@Suite struct WebhookBatchTests {
    @Test func aBodyIsAnArrayOfTheLinesAsTheyAre() {
        var batch = WebhookBatch()
        batch.append(Array(#"{"a": 1}"#.utf8), ticket: 7)
        #expect(batch.body == Array(#"[{"a": 1}]"#.utf8))
        batch.append(Array(#"{"b":"é"}"#.utf8), ticket: 8)
        #expect(batch.body == Array(#"[{"a": 1},{"b":"é"}]"#.utf8) && batch.tickets == [7, 8])
    }

    /// The daemon's longest lines fill a body of at most 1 MiB.
    @Test func aFullBodyIsAtMostAMebibyte() {
        var batch = WebhookBatch()
        while !batch.isFull { batch.append([UInt8](repeating: 0x20, count: 1 << 16), ticket: 0) }
        #expect(batch.body.count <= 1 << 20 && batch.tickets.count == 15)
        var (full, open) = (WebhookBatch(), WebhookBatch())
        while !full.isFull {
            open = full
            full.append([UInt8](repeating: 0x20, count: 1000), ticket: 0)
        }
        open.append([UInt8](repeating: 0x20, count: 1 << 16), ticket: 0)
        #expect((1_000_000...(1 << 20)).contains(open.body.count), "\(open.body.count)")
    }
}
