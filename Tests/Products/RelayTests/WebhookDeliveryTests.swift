// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Synchronization
import Testing

/// The way from a worker to a server of the test, with the real daemon and the real relay.
@Suite struct WebhookDeliveryTests {
    private let bench = RelayBench()
    private static let types: Set = ["detected", "update"]
    private static let selection = "types = [\"detected\", \"update\"]\nupdate_hz = 1000\n"

    private func events(_ server: LoopbackServer) -> [ReceivedEvent] {
        (try? WebhookEvents(server.requests.map(\.body)).order) ?? []
    }

    @Test func linesArriveUnchangedInOrderAndBatches() async throws {
        let server = try LoopbackServer { _ in .init(status: 204) }
        defer { server.stop() }
        bench.write("door", "connect; tracks 2; updates 100 2")
        bench.configureWebhook(server.address("in?key=geheim"), Self.selection + "batch = 7")
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { events(server).count == 204 }, "\(bench.relay?.errors ?? "")")
        let lines = try bench.journal(Self.types)
        let requests = server.requests
        #expect(requests.allSatisfy { $0.method == "POST" && $0.path == "/in?key=geheim" })
        #expect(requests.allSatisfy { $0.headers["content-type"] == "application/json" })
        #expect(requests.allSatisfy { $0.headers["user-agent"] == "glimpsed-relay" })
        let counts = try requests.map { try WebhookEvents([$0.body]).order.count }
        #expect(counts.allSatisfy { $0 <= 7 } && counts.contains(7), "\(counts)")
        var rest = lines[...]
        for (request, count) in zip(requests, counts) {
            #expect(String(decoding: request.body, as: UTF8.self) == "[\(rest.prefix(count).joined(separator: ","))]")
            rest = rest.dropFirst(count)
        }
        #expect(rest.isEmpty)

        let row = "  hook (webhook): connected to http://127.0.0.1:\(server.port), 204 sent, delivered to event "
        #expect(await holds { bench.webhookRow.hasPrefix(row) }, "\(bench.ask("status"))")
        let metrics = bench.ask("metrics")
        #expect(metrics.contains(#"glimpse_relay_sent_total{destination="hook"} 204"#))
        #expect(metrics.contains(#"glimpse_relay_connected{destination="hook"} 1"#))
        let texts = (bench.relay?.errors ?? "") + bench.ask("status").joined()
        #expect(!texts.contains("geheim") && !texts.contains(RelayBench.secret))
    }

    /// An event does not wait for a full batch for longer than `batch_wait`.
    @Test func oneEventIsABatch() async throws {
        let server = try LoopbackServer { _ in .init() }
        defer { server.stop() }
        bench.write("door", "connect; tracks 1")
        bench.configureWebhook(server.address(""), "types = [\"detected\"]")
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { events(server).count == 1 }, "\(bench.relay?.errors ?? "")")
    }

    /// Each answer but 2xx, and none: the request is repeated, and the log has a line about each problem.
    @Test func aRequestIsRepeatedUntilTheServerTakesIt() async throws {
        let target = try LoopbackServer { _ in .init() }
        defer { target.stop() }
        let elsewhere = target.address("elsewhere")
        let server = try LoopbackServer { request in
            switch request.index {
            case 0, 1: .init(status: 500)
            case 2: .init(status: 301, headers: ["Location: \(elsewhere)"])
            case 3: .init(status: 404)
            // Headers, and the beginning of a body.
            case 4: .init(body: [1, 2, 3], stall: 1)
            case 5: .init(body: [1, 2, 3], cut: 1)
            default: .init()
            }
        }
        defer { server.stop() }
        bench.write("door", "connect; tracks 2; updates 20 2")
        bench.configureWebhook(server.address(""), Self.selection + "batch = 5\ntimeout = \"1s\"")
        bench.runDaemon()
        bench.runRelay()
        let isComplete = await holds { Set(events(server)).count == 44 }
        let log = bench.relay?.errors ?? ""
        #expect(isComplete, "\(log)")
        let requests = server.requests
        #expect(Set(requests.prefix(7).map(\.body)).count == 1 && requests[7].body != requests[6].body)
        #expect(target.requests.isEmpty)
        let received = try WebhookEvents(requests.map(\.body))
        #expect(received.firsts.map(\.sequence) == received.firsts.map(\.sequence).sorted())
        let first = try WebhookEvents([requests[0].body])
        #expect(received.order.count - received.firsts.count == 6 * first.order.count)
        for problem in [
            "answers with status 500", "the server redirects", "answers with status 404", "no complete answer within",
            "transfer closed",
        ] {
            #expect(log.split(separator: "\n").count { $0.contains(problem) } == 1, "\(problem): \(log)")
        }
        #expect(await holds { bench.webhookRow.contains("44 sent, delivered") }, "\(bench.ask("status"))")
    }

    /// A server that takes the request and says nothing.
    @Test func aSilentServerIsAskedAgain() async throws {
        let isSilent = Mutex(true)
        let server = try LoopbackServer { _ in
            let first = isSilent.withLock { silent in
                defer { silent = false }
                return silent
            }
            if first { usleep(2_000_000) }
            return .init()
        }
        defer { server.stop() }
        bench.write("door", "connect; tracks 1")
        bench.configureWebhook(server.address(""), "types = [\"detected\"]\ntimeout = \"500ms\"")
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { bench.relay?.errors.contains("takes events") == true }, "\(bench.relay?.errors ?? "")")
        #expect(bench.relay?.errors.contains("no complete answer within") == true)
        #expect(events(server).count >= 2 && Set(events(server)).count == 1)
    }

    /// The relay closes the connection after a small part of the answer, whose status is enough.
    @Test(arguments: [LoopbackServer.Flood.Place.body, .chunks])
    func aHugeAnswerIsNotReadToItsEnd(place: LoopbackServer.Flood.Place) async throws {
        let server = try LoopbackServer { _ in .init(flood: .init(place, bytes: 1 << 30)) }
        defer { server.stop() }
        bench.write("door", "connect; tracks 3")
        bench.configureWebhook(server.address(""), "types = [\"detected\"]\nbatch = 1")
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { bench.webhookRow.contains("3 sent") }, "\(bench.relay?.errors ?? "")")
        #expect(server.requests.count == 3 && server.sentBytes < 96 << 20, "\(server.sentBytes)")
    }

    /// The events of a request that fails for `retry_for` are skipped: a line and a count. All others arrive.
    @Test func eventsAreSkippedAfterRetryFor() async throws {
        let first = Mutex<[UInt8]?>(nil)
        let server = try LoopbackServer { request in
            let refused = first.withLock { body in
                if body == nil { body = request.body }
                return body == request.body
            }
            return .init(status: refused ? 503 : 200)
        }
        defer { server.stop() }
        bench.write("door", "connect; tracks 2; updates 20 2")
        bench.configureWebhook(server.address(""), Self.selection + "batch = 3\nretry_for = \"1s\"")
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { Set(events(server)).count == 44 }, "\(bench.relay?.errors ?? "")")
        let skipped = try WebhookEvents([server.requests[0].body]).order.count
        #expect(
            await holds { bench.webhookRow.contains("\(44 - skipped) sent, \(skipped) skipped, delivered to event ") },
            "\(bench.ask("status")) \(bench.relay?.errors ?? "")")
        let lines = (bench.relay?.errors ?? "").split(separator: "\n").filter { $0.contains("skipped") }
        #expect(lines.count == 1 && lines[0].contains("hook: skipped \(skipped) events after retry_for: "), "\(lines)")
        let attempts = server.requests.prefix { $0.body == server.requests[0].body }.count
        #expect(attempts > 2, "\(attempts)")
    }

    /// Relay and daemon are killed at random while the server fails now and then. The server receives every event, in
    /// order, and those that it receives again are the same.
    @Test func noEventIsLostWhenRelayAndDaemonAreKilled() async throws {
        let server = try LoopbackServer { .init(status: $0.index % 5 == 4 ? 500 : 200) }
        defer { server.stop() }
        bench.write("door", "connect; tracks 2; updates 1000000 10")
        bench.configureWebhook(server.address(""), Self.selection)
        bench.runDaemon()
        bench.runRelay()
        var random = SeededRandom(seed: 24)
        for round in 0..<8 {
            let before = server.requests.count
            #expect(await holds { server.requests.count > before + 3 }, "round \(round): \(bench.relay?.errors ?? "")")
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200, using: &random)))
            if round % 4 == 3 {
                bench.kill(bench.daemon)
                bench.runDaemon()
            } else {
                bench.kill(bench.relay)
                bench.runRelay()
            }
        }
        #expect(await holds { access(bench.scope.path("e.sock"), F_OK) == 0 })
        let isServed = await holds { (try? bench.journal(Self.types)) != nil }
        #expect(isServed)
        let expected = try bench.journal(Self.types).compactMap { ReceivedEvent($0[...]) }
        let last = try #require(expected.last)
        #expect(await holds { events(server).contains(last) }, "\(bench.relay?.errors ?? "")")
        let received = try WebhookEvents(server.requests.map(\.body))
        let missing = Set(expected).subtracting(received.order)
        let numbers = received.firsts.map(\.sequence)
        #expect(missing.isEmpty && numbers == numbers.sorted(), "missing \(missing.count) of \(expected.count)")
        print(
            "webhook: expected \(expected.count), missing \(missing.count), "
                + "twice \(received.order.count - received.firsts.count)")
    }

    /// The daemon's own line tells, in its place, that the journal has lost events.
    @Test func aGapIsAnElement() async throws {
        let server = try LoopbackServer { _ in .init() }
        defer { server.stop() }
        bench.write("door", "connect; tracks 2")
        bench.configureWebhook(server.address(""), "types = [\"detected\"]")
        bench.scope.write("relay/hook.cursor", #"{"run_id":"0123456789abcdef","seq":7}"# + "\n")
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { events(server).count == 2 }, "\(bench.relay?.errors ?? "")")
        #expect(try WebhookEvents(server.requests.map(\.body)).types == ["gap", "detected", "detected"])
        let body = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
        #expect(body.contains(#""reason":"other_run""#), "\(body)")
    }
}
