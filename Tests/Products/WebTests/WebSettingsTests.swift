// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Settings
import Testing

@Suite struct WebSettingsTests {
    @Test func anEmptyFileHasTheDefaults() throws {
        let settings = try WebSettings.parse(bytes: [])
        #expect(settings.listen.text == "127.0.0.1:8420" && settings.listen.isLocal)
        #expect(settings.maximumViewers == 32 && settings.maximumRate == 15 && !settings.commands)
    }

    @Test(arguments: [
        ("127.0.0.1:80", true), ("localhost:8420", true), ("[::1]:8420", true), ("unix:/run/web.sock", true),
        ("0.0.0.0:8420", false), ("192.0.2.1:1", false), ("[::]:8420", false), ("[2001:db8::1]:65535", false),
    ])
    func addressesAreLocalOrNot(text: String, isLocal: Bool) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.isLocal == isLocal && address.text == text)
    }

    @Test(arguments: [
        "", ":80", "8420", "127.0.0.1", "127.0.0.1:65536", "kiosk.lan:80", "unix:", "unix:web.sock", "a:b",
    ])
    func otherTextsAreNoAddress(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(arguments: [
        ("listen = \"0.0.0.0:8420\"", "listen = \"0.0.0.0:8420\" is open to other machines and needs a token"),
        ("listen = \"kiosk:8420\"", "listen must be an address and a port"),
        ("token = \"x\"", "a token does not stand in this file"),
        ("token_file = \"a\"\ntoken_env = \"B\"", "token"),
        ("commands = true", "commands need a token"),
        ("max_viewers = 33", "max_viewers must be 1 to 32"),
        ("allowed_hosts = [\"http://a\"]", "must be a name such as glimpse.lan"),
        ("port = 80", "unknown key"),
    ])
    func aWrongSettingIsOneClearError(text: String, expected: String) {
        do throws(ConfigurationErrors) {
            _ = try WebSettings.parse(bytes: Array(text.utf8))
            Issue.record("\(text) is accepted")
        } catch {
            #expect(error.errors.count == 1 && error.errors[0].description.contains(expected), "\(error)")
        }
    }

    @Test func theProgramRefusesWhatCannotBeSafe() {
        let scope = TestScope()
        func run(_ file: String) -> ProgramResult {
            let path = scope.write("web.toml", file)
            let page = scope.write("page/index.html", "x").dropLast("/index.html".count)
            return Program.run(
                Program.built("glimpsed-web"),
                ["--config", path, "--page", String(page), "--links", scope.path("l.sock"), "--listen", "127.0.0.1:0"])
        }
        let token = scope.write("token", "0123456789abcdef\n")
        chmod(token, 0o644)
        let open = run("token_file = \"\(token)\"")
        #expect(open.status == 78 && open.errors.contains("others may read it"), "\(open)")
        chmod(scope.write("short", "abc\n"), 0o600)
        let short = run("token_file = \"\(scope.path("short"))\"")
        #expect(short.status == 78 && short.errors.contains("fewer than 16 characters"), "\(short)")
        let absent = run("token_file = \"\(scope.path("absent"))\"")
        #expect(absent.status == 78 && absent.errors.contains("No such file"), "\(absent)")
        let wrong = Program.run(
            Program.built("glimpsed-web"), ["--check", "--config", scope.write("bad", "a = 1\nb = 2\n")])
        #expect(wrong.status == 78 && wrong.errors.split(separator: "\n").count == 2, "\(wrong)")
    }
}
