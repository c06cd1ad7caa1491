// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The whole way from a worker to a consumer at a broker, with real programs that are killed.
@Suite(.serialized) struct DeliveryTests {
    private let bench = RelayBench()
    private static let types = ["detected", "update", "completed"]

    /// Relay, broker and daemon are killed at random while events flow. A consumer that counts misses none, sees them
    /// in order, and sees an event twice only with one position. A publisher without a cursor loses some.
    @Test func noEventIsLostWhenRelayBrokerAndDaemonAreKilled() async throws {
        bench.write("door", "connect; tracks 2; updates 1000000 10")
        bench.configure(
            #"types = ["detected", "update", "completed"]"#
                + "\nupdate_hz = 1000\nstart = \"oldest\"\nreplay_rate = 2000")
        await bench.runBroker()
        let counter = bench.consume("glimpse/hall/door/event", id: "counter")
        let other = bench.consume("forgetful", id: "other")
        bench.runDaemon()
        bench.runRelay()
        let socket = bench.scope.path("e.sock")
        let forgetful = RunningProgram(
            "sh",
            [
                "-c",
                "while true; do socat -u UNIX-CONNECT:\(socket) - | mosquitto_pub -p \(bench.port) -q 1 -l -t forgetful; "
                    + "sleep 0.1; done",
            ])
        #expect(await holds { bench.size("counter") > 50_000 }, "\(bench.relay?.errors ?? "")\(counter.errors)")

        var random = SeededRandom(seed: 24)
        var kills = [0, 0, 0]
        for round in 0..<9 {
            let victim = round < 3 ? round : Int.random(in: 0..<3, using: &random)
            kills[victim] += 1
            switch victim {
            case 0:
                bench.kill(bench.relay)
                bench.runRelay()
            case 1:
                bench.kill(bench.broker)
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<300, using: &random)))
                await bench.runBroker()
            default:
                bench.kill(bench.daemon)
                bench.runDaemon()
            }
            // A broker that dies before its consumer is back would lose what it has acknowledged.
            let before = bench.size("counter")
            #expect(
                await holds { bench.size("counter") > before + 50_000 },
                "after round \(round): \(bench.relay?.errors ?? "")")
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200, using: &random)))
        }

        let expected = try await journal(socket)
        let last = expected.map(\.sequence).max() ?? 0
        let isComplete = await holds {
            try? await Task.sleep(for: .milliseconds(200))
            return (bench.lines("counter").last.flatMap { ReceivedEvent($0) }?.sequence ?? 0) >= last
        }
        _ = forgetful.finish(within: .zero)
        let all = Self.events(bench.lines("counter"))
        let missing = expected.subtracting(all.map(\.event))
        #expect(isComplete && missing.isEmpty, "missing: \(missing.map(\.sequence).sorted().prefix(20))")
        var payloads: [ReceivedEvent: Substring] = [:]
        var order: [UInt64] = []
        for (event, payload) in all {
            if let known = payloads.updateValue(payload, forKey: event) {
                #expect(known == payload)
            } else {
                order.append(event.sequence)
            }
        }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(all.map(\.event.run)).count == 1)

        let lost = expected.subtracting(Self.events(bench.lines("other")).map(\.event))
        #expect(!lost.isEmpty)
        print(
            "kills of relay, broker, daemon: \(kills); expected \(expected.count), missing \(missing.count), "
                + "twice \(all.count - order.count); the forgetful publisher lost \(lost.count)")
        for consumer in [counter, other] { consumer.send(SIGKILL) }
    }

    private static func events(_ lines: [Substring]) -> [(event: ReceivedEvent, payload: Substring)] {
        lines.compactMap { line in ReceivedEvent(line).map { ($0, line) } }
    }

    /// The events of the relay's types in the daemon's journal until now.
    private func journal(_ socket: String) async throws -> Set<ReceivedEvent> {
        let client = try SocketClient(socket)
        let hello = try #require(try client.nextText())
        let next = try #require(hello.firstRange(of: "\"next_seq\":").map { hello[$0.upperBound...] })
        let last = (UInt64(next.prefix { $0.isNumber }) ?? 1) - 1
        client.send(#"{"subscribe":{"types":["detected","update","completed"],"passive":true},"after":0}"#)
        var events: Set<ReceivedEvent> = []
        while let line = try client.nextText() {
            guard let event = ReceivedEvent(line[...]) else { continue }
            if event.sequence > last { return events }
            events.insert(event)
        }
        return events
    }

    /// Retained topics show the present after each restart, and nothing of a pipeline that is gone.
    @Test func retainedTopicsShowThePresentAfterRestarts() async throws {
        let more =
            "[[zone]]\nname = \"de sk\"\npolygon = [[0, 0], [1, 0], [1, 1]]\n"
            + "[[line]]\nname = \"gate\"\nfrom = [0.1, 0.1]\nto = [0.9, 0.9]"
        bench.write("door", "connect; detector face yes; tracks 2", more: more)
        bench.write("idle", "connect", settings: "on_demand = true")
        bench.configure("")
        await bench.runBroker()
        bench.runDaemon()
        bench.runRelay()
        let present = [
            "glimpse/hall/status": "online", "glimpse/hall/door/status": "online",
            "glimpse/hall/door/state": #"{"state":"connected"}"#, "glimpse/hall/door/face/count": "2",
            "glimpse/hall/door/face/occupancy": "ON", "glimpse/hall/door/zone/de_sk-bed557/count": "0",
            "glimpse/hall/door/zone/de_sk-bed557/occupancy": "OFF", "glimpse/hall/door/line/gate/in": "0",
            "glimpse/hall/door/line/gate/out": "0", "glimpse/hall/idle/status": "online",
            "glimpse/hall/idle/state": #"{"state":"paused","reason":"on_demand"}"#,
        ]
        #expect(await holds { bench.retained() == present }, "\(bench.retained()) \(bench.relay?.errors ?? "")")

        // The relay dies while the people leave.
        bench.kill(bench.relay)
        #expect(await holds { bench.retained()["glimpse/hall/status"] == "offline" })
        bench.kill(bench.daemon)
        bench.write("door", "connect; detector face yes", more: more)
        unlink(bench.scope.path("pipelines/idle.toml"))
        bench.runDaemon()
        bench.runRelay()
        var empty = present.filter { !$0.key.contains("/idle/") }
        empty["glimpse/hall/door/face/count"] = "0"
        empty["glimpse/hall/door/face/occupancy"] = "OFF"
        #expect(await holds { bench.retained() == empty }, "\(bench.retained()) \(bench.relay?.errors ?? "")")

        bench.kill(bench.daemon)
        #expect(await holds { bench.retained()["glimpse/hall/door/status"] == "offline" })
        bench.runDaemon()
        #expect(await holds { bench.retained() == empty }, "\(bench.retained())")

        bench.relay?.send(SIGTERM)
        #expect(bench.relay?.finish().status == 0)
        #expect(await holds { bench.retained()["glimpse/hall/status"] == "offline" })
    }

    @Test(arguments: [("5", true), ("3.1.1", false), ("auto", true)])
    func messagesHavePropertiesWithVersionFive(version: String, hasProperties: Bool) async throws {
        bench.write("door", "connect; tracks 1")
        bench.configure("protocol = \"\(version)\"\nstart = \"oldest\"\ntypes = [\"detected\"]\nexpiry = \"90s\"")
        await bench.runBroker()
        let consumer = RunningProgram(
            "mosquitto_sub", ["-p", "\(bench.port)", "-V", "5", "-t", "glimpse/hall/door/event", "-F", "%P"])
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { consumer.output.contains(UInt8(ascii: "\n")) }, "\(bench.relay?.errors ?? "")")
        let line = String(decoding: consumer.output, as: UTF8.self)
        #expect(line.contains("run_id:") == hasProperties && line.contains("seq:") == hasProperties, "\(line)")
    }

    /// A broker with encryption, a password and a certificate that the relay does not trust.
    @Test func anEncryptedBrokerNeedsATrustedCertificateAndAPassword() async throws {
        let scope = bench.scope
        let made = Program.run(
            "sh",
            [
                "-c",
                "cd \(scope.folder) && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
                    + "-addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem 2>/dev/null && "
                    + "touch users && mosquitto_passwd -b users glimpse 'f0rty two' && chmod 644 users",
            ])
        #expect(made.status == 0, "\(made)")
        scope.write(
            "broker.conf",
            "listener \(bench.port) 127.0.0.1\nuser root\nallow_anonymous false\npassword_file \(scope.path("users"))\n"
                + "certfile \(scope.path("cert.pem"))\nkeyfile \(scope.path("key.pem"))\n")
        scope.write("password", "f0rty two\n")
        bench.write("door", "connect; tracks 1")
        func configure(_ more: String) {
            scope.write(
                "relay.toml",
                "events = \"e.sock\"\ncontrol = \"r.sock\"\nstate_dir = \"relay\"\nbox = \"hall\"\n[[mqtt]]\nname = \"home\"\n"
                    + "url = \"mqtts://localhost:\(bench.port)\"\nuser = \"glimpse\"\n\(more)\n")
        }
        await bench.runBroker()
        bench.runDaemon()
        configure("password_file = \"password\"")
        bench.runRelay()
        #expect(await holds { bench.relay?.errors.contains("warning: home: mqtts://localhost") == true })
        #expect(bench.relay?.errors.contains("connected to") == false)
        bench.kill(bench.relay)

        scope.write("wrong", "f0rty three\n")
        configure("ca_file = \"cert.pem\"\npassword_file = \"wrong\"")
        bench.runRelay()
        #expect(await holds { bench.relay?.errors.contains("the broker refuses: Not authorized") == true })
        let complaints = bench.relay?.errors ?? ""
        #expect(!complaints.contains("f0rty"))
        bench.kill(bench.relay)

        configure("ca_file = \"cert.pem\"\npassword_file = \"password\"")
        bench.runRelay()
        #expect(
            await holds { bench.relay?.errors.contains("connected to mqtts://localhost") == true },
            "\(bench.relay?.errors ?? "")")
    }
}
