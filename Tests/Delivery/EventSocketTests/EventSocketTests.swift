// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
@testable import EventSocket
import GlimpseTesting
import Logging
import NIOCore
import NIOPosix
import Testing

/// An event socket on its own event loop.
private final class Server: Sendable {
    let scope = TestScope()
    let path: String
    private let loop: any EventLoop
    private let parts: NIOLoopBound<(stream: EventStream, socket: EventSocket)>

    init(
        maximumSubscribers: Int = 100, queue: Int = 1 << 20, stall: Duration = .seconds(60),
        heartbeat: Duration = .seconds(60), journal: Int = 100_000
    ) throws {
        path = scope.path("e.sock")
        loop = MultiThreadedEventLoopGroup.singleton.next()
        let (loop, path) = (loop, path)
        parts = try loop.submit {
            let stream = EventStream(log: EventLog(limits: .init(events: journal, bytes: 1 << 30)))
            stream.record { _ = $0.addPipeline(PipelineIdentity(name: "door")) }
            let socket = try EventSocket(
                configuration: .init(
                    path: path, mode: 0o600, group: "", maximumSubscribers: maximumSubscribers,
                    limits: .init(queue: queue, stall: stall, heartbeat: heartbeat), server: "test 1"),
                stream: stream, eventLoop: loop, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            return NIOLoopBound((stream, socket), eventLoop: loop)
        }.wait()
    }

    /// Records the events in batches and publishes each batch separately.
    func record(_ batches: [EncodedEvent]...) throws {
        let parts = parts
        try loop.submit {
            for batch in batches {
                for event in batch { parts.value.stream.record { _ = $0.append(event, pipeline: 0) } }
                parts.value.stream.publish()
            }
        }.wait()
    }

    var subscribers: Int {
        get async throws {
            let parts = parts
            return try await loop.submit { parts.value.socket.subscribers }.get()
        }
    }

    func stop(within limit: TimeAmount = TimeAmount(patience)) -> EventLoopFuture<Void> {
        let parts = parts
        return loop.flatSubmit { parts.value.socket.stop(within: limit) }
    }
}

@Suite struct EventSocketTests {
    private var events = SampleEvents()

    private mutating func updates(_ frames: ClosedRange<UInt64>, id: UInt64 = 1) -> [EncodedEvent] {
        frames.map { events.track(.update, id: id, frame: $0) }
    }

    /// A subscriber after its hold.
    private func liveClient(_ server: Server) throws -> SocketClient {
        let client = try SocketClient(server.path)
        client.send(#"{"ping":"live"}"#)
        _ = try client.lines { $0.type == "ping" }
        return client
    }

    @Test mutating func subscribersBeforeDuringAndAfterSeeOneOrder() throws {
        let server = try Server()
        let before = try SocketClient(server.path)
        #expect(try before.lines { $0.type == "state" }.map(\.type) == ["hello", "state"])
        try server.record([events.track(.detected, id: 1)], updates(1...10))
        let during = try SocketClient(server.path)
        let opening = try during.lines { $0.type == "state" }
        #expect(opening.map(\.type) == ["hello", "state"])
        #expect(opening[0].next_seq == 12 && opening[1].as_of == 11 && opening[1].tracks?.map(\.track.id) == ["1"])
        try server.record(updates(11...20), [events.track(.completed(.gone), id: 1)])
        let early = try before.lines { $0.type == "completed" }
        #expect(early.compactMap(\.seq) == Array(1...22))
        #expect(try during.lines { $0.type == "completed" }.compactMap(\.seq) == Array(12...22))
        let after = try SocketClient(server.path)
        after.send(#"{"after":0}"#)
        let replay = try after.lines { $0.type == "completed" }
        #expect(replay.dropFirst(2).map(\.text) == early.map(\.text))
        try server.stop().wait()
    }

    @Test mutating func aFilteredSubscriberGetsItsLinesOfASharedBatch() throws {
        let server = try Server()
        let client = try SocketClient(server.path)
        client.send(#"{"subscribe":{"types":["missing","completed"]},"ping":"set"}"#)
        _ = try client.lines { $0.type == "ping" }
        let batch =
            updates(1...3) + [events.track(.missing, id: 1)] + updates(4...5) + [events.track(.completed(.gone), id: 1)]
        try server.record(batch)
        #expect(try client.lines { $0.type == "completed" }.map(\.seq) == [4, 7])
        try server.stop().wait()
    }

    @Test mutating func killedSubscribersDelayNoOtherSubscriber() async throws {
        let server = try Server()
        let survivor = try liveClient(server)
        for round in 0..<20 as Range<UInt64> {
            let victims = try (0..<5).map { _ in try SocketClient(server.path) }
            try server.record(updates(round * 50 + 1...round * 50 + 25))
            for victim in victims { victim.close() }
            try server.record(updates(round * 50 + 26...round * 50 + 50))
        }
        #expect(try survivor.lines { $0.seq == 1000 }.compactMap(\.seq) == Array(1...1000))
        #expect(try await holds { try await server.subscribers == 1 })
        try await server.stop().get()
    }

    @Test mutating func aStoppedSubscriberDelaysNoOtherAndLaterReceivesTheRest() throws {
        let server = try Server(queue: 64 << 20)
        let slow = try liveClient(server)
        let fast = try liveClient(server)
        for round in 0..<40 as Range<UInt64> {
            try server.record(updates(round * 100 + 1...round * 100 + 100))
            #expect(try fast.lines { $0.seq == round * 100 + 100 }.count == 100)
        }
        #expect(try slow.lines { $0.seq == 4000 }.map(\.seq) == Array(1...4000))
        try server.stop().wait()
    }

    @Test mutating func onlyUpdatesAreCoalescedBeyondTheQueueOfASubscriber() throws {
        let server = try Server(queue: 64 * 1024)
        let slow = try liveClient(server)
        var types: [String] = []
        for round in 0..<200 as Range<UInt64> {
            try server.record(
                [events.track(.detected, id: round + 1)] + updates(1...20, id: round + 1)
                    + [events.track(.completed(.gone), id: round + 1)])
            types += ["detected", "completed"]
        }
        let lines = try slow.lines { $0.seq == 4400 }
        #expect(lines.map(\.type).filter { $0 != "update" } == types)
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.seq! < $1.seq! })
        let updates = lines.filter { $0.type == "update" }
        #expect(updates.count < 4000)
        #expect(updates.reduce(0) { $0 + 1 + ($1.coalesced ?? 0) } == 4000)
        try server.stop().wait()
    }

    @Test mutating func aSubscriberThatNeverReadsIsDisconnected() async throws {
        let server = try Server(stall: .seconds(2))
        let stopped = try liveClient(server)
        let reading = try liveClient(server)
        for round in 0..<20 as Range<UInt64> {
            try server.record(updates(round * 100 + 1...round * 100 + 100))
            _ = try reading.lines { $0.seq == round * 100 + 100 }
        }
        #expect(try await holds { try await server.subscribers == 1 })
        #expect(try stopped.rest().count < 2000)
        try await server.stop().get()
    }

    @Test mutating func stoppingTheSocketSendsSubscribersTheRestThenTheEnd() throws {
        let server = try Server(queue: 64 << 20)
        let live = try liveClient(server)
        let held = try SocketClient(server.path)
        _ = try held.lines { $0.type == "state" }
        try server.record(updates(1...3000))
        let stopped = server.stop()
        #expect(try held.rest().map(\.seq) == Array(1...3000))
        #expect(try live.rest().map(\.seq) == Array(1...3000))
        try stopped.wait()
        #expect(throws: SocketClient.Failure.self) { try SocketClient(server.path) }
    }

    @Test mutating func aSubscriberThatDoesNotReadDoesNotDelayTheStop() throws {
        let server = try Server()
        let stuck = try liveClient(server)
        try server.record(updates(1...5000))
        try server.stop(within: .milliseconds(200)).wait()
        #expect(try stuck.rest().count < 5000)
    }

    @Test func aSubscriberOverTheLimitReceivesAnError() throws {
        let server = try Server(maximumSubscribers: 2)
        let first = try liveClient(server)
        let second = try liveClient(server)
        let lines = try SocketClient(server.path).rest()
        #expect(lines.map(\.type) == ["error"])
        #expect(lines[0].reason == "too many subscribers: events.max_subscribers is 2")
        first.close()
        second.send(#"{"ping":"still"}"#)
        #expect(try second.next()?.echo == "still")
        try server.stop().wait()
    }

    @Test mutating func aHalfClosedSubscriberStillReceivesEvents() throws {
        let server = try Server()
        let client = try SocketClient(server.path)
        client.finishSending()
        _ = try client.lines { $0.type == "state" }
        try server.record(updates(1...3))
        #expect(try client.lines { $0.seq == 3 }.map(\.seq) == [1, 2, 3])
        try server.stop().wait()
    }

    @Test func aSubscriberThatLeavesWhileNoEventComesIsRemoved() async throws {
        let server = try Server()
        let stays = try liveClient(server)
        let goes = try liveClient(server)
        #expect(try await server.subscribers == 2)
        goes.close()
        #expect(try await holds { try await server.subscribers == 1 })
        stays.send(#"{"ping":"fine"}"#)
        #expect(try stays.next()?.echo == "fine")
        try await server.stop().get()
    }

    @Test func hostileSubscribersReceiveErrorsAndHarmNoOther() throws {
        let server = try Server()
        let good = try liveClient(server)
        let hostile = try liveClient(server)
        var random = SeededRandom(seed: 3)
        hostile.send((0..<20_000).map { _ in UInt8.random(in: 128...255, using: &random) })
        hostile.send("")
        #expect(try hostile.next()?.type == "error")
        for _ in 0..<40 { hostile.send(Array(repeating: 0x7B, count: 64 * 1024)) }
        hostile.send("")
        #expect(try hostile.next()?.reason == "the line is longer than 64 KiB")
        hostile.send(Array(repeating: UInt8(ascii: "\n"), count: 500))
        hostile.send(Array(String(repeating: "?\n", count: 500).utf8))
        let rest = try hostile.rest()
        #expect(rest.count <= 101 && rest.allSatisfy { $0.type == "error" })
        good.send(#"{"ping":"fine"}"#)
        #expect(try good.next()?.echo == "fine")
        try server.stop().wait()
    }

    /// The peer's requests stay in its own socket. Answers are not made before there is room for them.
    @Test(arguments: [#"{"state":true}"#, #"{"ping":"x"}"#, #"{"after":0}"#])
    mutating func aSubscriberThatRequestsAndNeverReadsIsDisconnected(request: String) async throws {
        let server = try Server(stall: .milliseconds(500))
        let good = try liveClient(server)
        try server.record((1...200).map { events.track(.detected, id: $0) })
        _ = try good.lines { $0.seq == 200 }
        let deaf = try liveClient(server)
        let asked = deaf.sendUntilRefused(
            Array(repeatElement(request + "\n", count: 8).joined().utf8), limit: 64 << 20)
        #expect(asked < 4 << 20, "what the sockets hold, and a few reads")
        #expect(try await holds { try await server.subscribers == 1 })
        good.send(#"{"ping":"fine"}"#)
        #expect(try good.next()?.echo == "fine")
        deaf.close()
        try await server.stop().get()
    }

    /// A pattern that takes half a million steps for a value, and 100 values. Matching takes ten seconds and delays no
    /// other subscriber.
    @Test mutating func aCostlyPatternDelaysNoOtherSubscriber() throws {
        let server = try Server()
        let good = try liveClient(server)
        let fellow = try liveClient(server)
        let tail = String(repeating: "a", count: 1000)
        try server.record(
            (1...100).map { events.track(.detected, .barcode, id: $0, text: "\($0)\(tail)") })
        _ = try good.lines { $0.seq == 100 }
        let costly = try liveClient(server)
        costly.send(#"{"subscribe":{"value_regex":"(.*){120}y"}}"# + "\n" + #"{"ping":"done"}"#)
        // Another subscriber with a pattern has its turns in between.
        fellow.send(#"{"subscribe":{"value_regex":"^9"},"after":95}"#)
        #expect(try fellow.lines { $0.seq == 99 }.count >= 4)
        try server.record([events.track(.detected, .barcode, id: 101, text: "https://glimpse.example")])
        #expect(try good.next()?.seq == 101)
        #expect(throws: SocketClient.Failure.self) { _ = try costly.next(within: .milliseconds(1)) }
        try server.stop(within: .zero).wait()
    }

    @Test func anIdleSubscriberGetsHeartbeats() throws {
        let server = try Server(heartbeat: .milliseconds(50))
        let client = try SocketClient(server.path)
        #expect(try client.lines { $0.type == "ping" }.map(\.type) == ["hello", "state", "ping"])
        #expect(try client.next()?.type == "ping")
        try server.stop().wait()
    }
}
