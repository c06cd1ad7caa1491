// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import GlimpseTesting
import Testing

/// An entity's configuration as Home Assistant reads it.
private struct Configuration: Decodable, Equatable {
    struct Availability: Decodable, Equatable { var topic: String }
    struct Device: Decodable, Equatable {
        var identifiers: [String]
        var name: String
        var via_device: String?
    }
    var name: String
    var unique_id: String
    var state_topic: String
    var availability: [Availability]?
    var event_types: [String]?
    var device_class: String?
    var state_class: String?
    var payload_on: String?
    var device: Device

    init(_ text: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }
}

/// Home Assistant's discovery at Debian's mosquitto.
@Suite(.serialized) struct HomeAssistantTests {
    private let bench = RelayBench()
    private static let more =
        "[[zone]]\nname = \"de sk\"\npolygon = [[0, 0], [1, 0], [1, 1]]\n"
        + "[[line]]\nname = \"gate\"\nfrom = [0.1, 0.1]\nto = [0.9, 0.9]"

    private func configurations() throws -> [String: Configuration] {
        try bench.retained("homeassistant/#").mapValues { try Configuration($0) }
    }

    @Test func discoveryNamesEveryTopicOfAPipelineAndGoesWithIt() async throws {
        bench.write("door", "connect; detector face yes; tracks 1", more: Self.more)
        bench.write("porch", "connect; detector face yes")
        bench.configure("")
        await bench.runBroker()
        bench.runDaemon()
        bench.runRelay()
        // One of the box, and of each pipeline its connection, its events, and two of a kind; four of zone and line.
        #expect(await holds { bench.retained("homeassistant/#").count == 13 }, "\(bench.relay?.errors ?? "")")
        let found = try configurations()
        #expect(await holds { bench.retained()["glimpse/hall/door/face/count"] == "1" })
        let states = bench.retained()
        let box = try #require(found.values.first { $0.state_topic == "glimpse/hall/status" })
        #expect(box.device.identifiers == ["glimpse/hall"] && box.availability == nil && box.payload_on == "online")
        #expect(Set(found.values.map(\.unique_id)).count == found.count)
        for configuration in found.values where configuration != box {
            #expect(configuration.device.via_device == "glimpse/hall")
            #expect(configuration.availability?.allSatisfy { states[$0.topic] == "online" } == true)
            let isEvent = configuration.event_types != nil
            #expect((states[configuration.state_topic] == nil) == isEvent, "\(configuration)")
        }
        // Every retained topic but the attributes has an entity.
        let shown = Set(found.values.map(\.state_topic))
        #expect(Set(states.keys.filter { !$0.hasSuffix("/state") }).subtracting(shown) == [])
        let events = try #require(found.values.first { $0.state_topic == "glimpse/hall/door/live" })
        #expect(events.event_types?.contains("detected") == true && events.device.name == "hall door")
        let zone = found.values.first { $0.state_topic == "glimpse/hall/door/zone/de_sk-bed557/occupancy" }
        #expect(zone?.device_class == "occupancy" && zone?.name == "zone de sk occupancy")
        let line = found.values.first { $0.state_topic == "glimpse/hall/door/line/gate/in" }
        #expect(line?.state_class == "total_increasing")

        bench.kill(bench.daemon)
        unlink(bench.scope.path("pipelines/porch.toml"))
        // This consumer sees how the pipeline's topics are emptied.
        let watcher = RunningProgram(
            "mosquitto_sub",
            ["-p", "\(bench.port)", "-R", "-t", "homeassistant/#", "-t", "glimpse/hall/porch/#", "-F", "%t %l"])
        bench.runDaemon()
        #expect(await holds { bench.retained("homeassistant/#").count == 9 })
        #expect(await holds { bench.retained().keys.allSatisfy { !$0.contains("/porch/") } })
        let emptied = String(decoding: watcher.output, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasSuffix(" 0") }.map { $0.hasPrefix("homeassistant/") }
        #expect(emptied.prefix(4).allSatisfy { $0 } && emptied.dropFirst(4).allSatisfy { !$0 }, "\(emptied)")
        #expect(try configurations() == found.filter { !$0.value.unique_id.contains("/porch/") })
        watcher.send(SIGKILL)
    }

    private static let schemas = "\(Checkout.root)/.deps/home-assistant"

    @Test(
        .enabled(
            if: access(schemas, R_OK) == 0 || getenv("GLIMPSE_REQUIRE_HOME_ASSISTANT") != nil,
            "needs scripts/setup.sh --home-assistant"))
    func homeAssistantsOwnSchemasAcceptEveryMessage() async throws {
        bench.write("door", "connect; detector face yes; tracks 1; kind barcode; tracks 1", more: Self.more)
        bench.configure("types = [\"detected\", \"update\", \"missing\", \"completed\", \"config\"]\npictures = true")
        await bench.runBroker()
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { bench.retained("homeassistant/#").count == 13 }, "\(bench.relay?.errors ?? "")")
        let lines = bench.retained("homeassistant/#").map { "\($0.key) \($0.value)\n" }.joined()
        let result = Program.run(
            "/usr/bin/env",
            ["PYTHONPATH=\(Self.schemas)", "python3", "\(Checkout.root)/Tests/Support/home-assistant.py"], input: lines)
        #expect(result.status == 0 && result.lines == ["13 accepted, 0 refused"], "\(result)")
    }

    @Test func aStartOfHomeAssistantRepeatsDiscoveryAndThenTheStates() async throws {
        bench.write("door", "connect; detector face yes; tracks 1", more: Self.more)
        bench.configure("discovery_prefix = \"ha\"")
        await bench.runBroker()
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { bench.retained()["glimpse/hall/door/face/count"] == "1" })
        // Retained messages of before do not reach this consumer.
        let watcher = RunningProgram(
            "mosquitto_sub", ["-p", "\(bench.port)", "-R", "-t", "ready", "-t", "ha/#", "-t", "glimpse/#", "-F", "%t"])
        // All messages of the repetition come after the subscription.
        let isSubscribed = await holds {
            _ = Program.run("mosquitto_pub", ["-p", "\(bench.port)", "-t", "ready", "-m", "?"])
            return !watcher.output.isEmpty
        }
        #expect(isSubscribed)
        let isRepeated = await holds {
            _ = Program.run("mosquitto_pub", ["-p", "\(bench.port)", "-t", "ha/status", "-m", "online"])
            try? await Task.sleep(for: .milliseconds(300))
            return String(decoding: watcher.output, as: UTF8.self).contains("glimpse/hall/status\n")
        }
        #expect(isRepeated)
        watcher.send(SIGKILL)
        _ = watcher.finish()
        let topics = String(decoding: watcher.output, as: UTF8.self).split(separator: "\n")
            .filter { $0 != "ready" }.drop { $0 == "ha/status" }
        let repeated = topics.prefix { $0 != "ha/status" }
        let configurations = repeated.prefix { $0.hasPrefix("ha/") }
        #expect(configurations.count == 9 && configurations.allSatisfy { $0.hasSuffix("/config") }, "\(repeated)")
        #expect(repeated.dropFirst(9).allSatisfy { $0.hasPrefix("glimpse/hall/") } && repeated.count == 18)
    }

    /// The relay was away: `event` has the past, and `live` only what happens afterwards.
    @Test func liveHasNoEventOfThePast() async throws {
        bench.write("door", "connect; tracks 2; updates 1000000 20")
        bench.configure(
            #"types = ["detected", "update"]"# + "\nupdate_hz = 1000\nstart = \"oldest\"\nreplay_rate = 100")
        await bench.runBroker()
        let durable = bench.consume("glimpse/hall/door/event", id: "durable")
        let live = bench.consume("glimpse/hall/door/live", id: "live")
        bench.runDaemon()
        #expect(await holds { (nextSequence() ?? 0) > 400 })
        bench.runRelay()
        #expect(await holds { bench.size("live") > 20_000 && bench.size("durable") > 20_000 })
        let (past, present) = (bench.lines("durable"), bench.lines("live"))
        #expect(past.contains { $0.hasPrefix("{\"event_type\":\"detected\"") })
        let first = try #require(present.first.flatMap { ReceivedEvent($0) })
        #expect(first.sequence > 400 && present.allSatisfy { $0.hasPrefix("{\"event_type\":\"update\"") })
        // They come at once, while `event` catches up.
        let newest = try #require(present.last.flatMap { ReceivedEvent($0) })
        let caughtUp = try #require(past.last.flatMap { ReceivedEvent($0) })
        #expect(caughtUp.sequence < newest.sequence)
        for consumer in [durable, live] { consumer.send(SIGKILL) }
    }

    /// From the daemon's first line.
    private func nextSequence() -> UInt64? {
        guard let hello = try? SocketClient(bench.scope.path("e.sock")).nextText(),
            let number = hello.firstRange(of: "\"next_seq\":")
        else { return nil }
        return UInt64(hello[number.upperBound...].prefix { $0.isNumber })
    }
}
