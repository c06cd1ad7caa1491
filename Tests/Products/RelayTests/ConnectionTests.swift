// SPDX-License-Identifier: Apache-2.0
import Relay
import Testing

/// The broker's limits of MQTT 5.
@Suite struct ConnectionTests {
    private let wake = Wake()

    private func connect(_ broker: FakeBroker) throws -> MQTTConnection {
        MQTTConnection.setUp()
        let connection = try MQTTConnection(.init(host: "127.0.0.1", port: broker.port, clientID: "test"))
        #expect(try steps(connection) { !$0.isEmpty } == [.answered(0)])
        return connection
    }

    /// Works until a condition on all reports holds, or a minute is over.
    private func steps(
        _ connection: MQTTConnection, until isDone: ([MQTTConnection.Report]) -> Bool
    ) throws -> [MQTTConnection.Report] {
        var reports: [MQTTConnection.Report] = []
        let deadline = ContinuousClock.now + .seconds(60)
        while !isDone(reports), ContinuousClock.now < deadline {
            reports += try connection.step(.milliseconds(10), wake: wake)
        }
        return reports
    }

    @Test func noMoreMessagesAreOnTheirWayThanTheReceiveMaximum() throws {
        let broker = FakeBroker(receiveMaximum: 3, topicAliasMaximum: 0)
        let connection = try connect(broker)
        let ids = try (0..<8).map { try connection.publish("t/\($0)", [1], isRetained: false) }
        for expected in [3, 6, 8] {
            _ = try steps(connection) { _ in broker.publications.count >= expected }
            for _ in 0..<10 { _ = try connection.step(.milliseconds(10), wake: wake) }
            #expect(broker.publications.count == expected)
            broker.acknowledge()
        }
        #expect(broker.publications.map { Int32($0.id) } == ids)
    }

    @Test func frequentTopicsAreReplacedByAliasesUpToTheBrokersLimit() throws {
        let broker = FakeBroker(receiveMaximum: 100, topicAliasMaximum: 2)
        let connection = try connect(broker)
        for topic in ["a", "state", "b", "c", "a", "c", "b", "state"] {
            _ = try connection.publish(topic, [1], isRetained: topic == "state")
        }
        _ = try steps(connection) { _ in broker.publications.count == 8 }
        let received = broker.publications.map { "\($0.topic) \($0.alias ?? 0)" }
        #expect(received == ["a 1", "state 0", "b 2", "c 0", " 1", "c 0", " 2", "state 0"])
    }

    @Test func aBrokerWithoutAliasesReceivesEveryTopic() throws {
        let broker = FakeBroker(receiveMaximum: 100, topicAliasMaximum: 0)
        let connection = try connect(broker)
        for _ in 0..<2 { _ = try connection.publish("a", [1], isRetained: false) }
        _ = try steps(connection) { _ in broker.publications.count == 2 }
        #expect(broker.publications.map(\.topic) == ["a", "a"] && broker.publications.allSatisfy { $0.alias == nil })
    }
}
