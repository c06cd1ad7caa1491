// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import ServiceManager
import SocketAddresses
import Testing

@Suite struct ServiceNotificationTests {
    @Test(
        arguments: [
            (.ready(status: "2 pipelines"), "READY=1\nSTATUS=2 pipelines"),
            (.reloading(monotonicMicroseconds: 12), "RELOADING=1\nMONOTONIC_USEC=12"),
            (.stopping(status: "bye"), "STOPPING=1\nSTATUS=bye"), (.watchdog, "WATCHDOG=1"),
            (.status("a\nREADY=1\u{1B}"), "STATUS=a READY=1 "),
        ] as [(ServiceNotification, String)])
    func aServiceNotificationHasTheFormatOfTheManager(notification: ServiceNotification, text: String) {
        #expect(notification.text == text)
    }

    @Test(arguments: ["path", "abstract"])
    func theNotifySocketHasAPathOrAnAbstractName(kind: String) throws {
        let scope = TestScope()
        let name = kind == "path" ? scope.path("n") : "@glimpse-test-\(getpid())-\(kind)"
        let manager = socket(AF_UNIX, CInt(bitPattern: SOCK_DGRAM.rawValue), 0)
        defer { close(manager) }
        let address = kind == "path" ? UnixAddress(path: name) : UnixAddress(abstract: String(name.dropFirst()))
        let bound = address?.with { bind(manager, $0, $1) }
        try #require(bound == 0)
        let notify = try #require(NotifySocket(path: name))
        #expect(notify.send(.status("fine")))
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = recv(manager, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "STATUS=fine")
    }

    @Test func aMissingOrDeafServiceManagerDoesNotBlock() {
        for name in [nil, "", "/", "relative", "@", "/" + String(repeating: "x", count: 200)] {
            #expect(NotifySocket(path: name) == nil)
        }
        #expect(NotifySocket(path: "/nowhere/at/all")?.send(.watchdog) == false)
    }
}

@Suite struct PassedSocketsTests {
    private func passed(_ environment: [String: String], process: pid_t = 7) -> PassedSockets {
        PassedSockets(environment: { environment[$0] }, process: process)
    }

    @Test func passedSocketsAreFoundByTheirNames() {
        var sockets = passed(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "control:events"])
        #expect(sockets.left == ["control", "events"])
        #expect(sockets.take("events") == 4 && sockets.take("control") == 3)
        #expect(sockets.take("events") == nil && sockets.left.isEmpty && sockets.warnings.isEmpty)
    }

    @Test(
        arguments: [
            [:], ["LISTEN_PID": "8", "LISTEN_FDS": "1"], ["LISTEN_PID": "x", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"],
            ["LISTEN_PID": "7", "LISTEN_FDS": "-1"], ["LISTEN_PID": "7", "LISTEN_FDS": "0"],
            ["LISTEN_PID": "7", "LISTEN_FDS": "99999999999999999999"],
        ] as [[String: String]])
    func descriptorsPassedToOtherProcessesAreIgnored(environment: [String: String]) {
        #expect(passed(environment) == PassedSockets())
    }

    @Test func surplusAndRepeatedSocketsAreReported() {
        #expect(passed(["LISTEN_PID": "7", "LISTEN_FDS": "100"]).warnings.count == 1)
        var twice = passed(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "events:events"])
        #expect(twice.warnings.count == 1 && twice.take("events") == 3)
        var unnamed = passed(["LISTEN_PID": "7", "LISTEN_FDS": "1"])
        #expect(unnamed.take("unknown") == 3)
    }
}

@Suite struct WatchdogTests {
    @Test(
        arguments: [
            (["WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "7"], .seconds(2)),
            (["WATCHDOG_USEC": "5"], .microseconds(5)),
            (["WATCHDOG_USEC": "5", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "x"], nil), ([:], nil),
        ] as [([String: String], Duration?)])
    func theWatchdogLimitOfTheServiceManager(environment: [String: String], limit: Duration?) {
        #expect(Watchdog.limit(environment: { environment[$0] }, process: 7) == limit)
    }
}
