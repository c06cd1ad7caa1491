// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import GlimpseTesting
import Testing

/// The requests of a subscription and its events, against a daemon that a test controls.
@Suite struct SubscriptionTests {
    private static let fast = BackOff(first: .milliseconds(1), longest: .milliseconds(2))

    private static func hello(_ run: String, next: Int) -> String {
        #"{"v":1,"type":"hello","time":"2026-01-01T00:00:00.000000000Z","clock":"arrival","server":"x","run_id":"\#(run)","next_seq":\#(next),"pipelines":[]}"#
            + "\n"
    }

    private static func source(_ run: String, _ sequence: Int, _ state: String = "connected") -> String {
        #"{"v":1,"seq":\#(sequence),"run_id":"\#(run)","type":"source","pipeline":"door","time":"2026-01-01T00:00:00.000000000Z","clock":"arrival","state":"\#(state)"}"#
            + "\n"
    }

    /// Events in short, until one says so.
    private func events(_ subscription: Subscription, until last: String) async -> [String] {
        var words: [String] = []
        for await event in subscription {
            words.append(event.word)
            if event.word == last { break }
        }
        return words
    }

    @Test func aSubscriptionResumesAtItsLastEvent() async {
        let daemon = FakeDaemon([
            Self.hello("a", next: 6) + Self.source("a", 6) + Self.source("a", 7),
            // Lines that were read already come again. The line that is cut off does not count.
            Self.hello("a", next: 9) + Self.source("a", 7) + Self.source("a", 8) + "{\"v\":1,\"type\":\"so",
            Self.hello("b", next: 3) + #"{"v":1,"type":"gap","reason":"other_run"}"# + "\n" + Self.source("b", 1),
            Self.source("b", 2),
        ])
        let words = await events(
            Subscription(socket: daemon.path, after: Position(sequence: 5), backOff: Self.fast), until: "b 2")
        #expect(
            words == [
                "hello a", "a 6", "a 7", "lost", "hello a", "a 8", "lost", "hello b", "gap other_run", "b 1", "lost",
                "b 2",
            ])
        // A JSON encoder may write members in any order.
        let wanted = [
            #"{"after":5}"#, #"{"after":7,"run_id":"a"}"#, #"{"after":8,"run_id":"a"}"#, #"{"after":1,"run_id":"b"}"#,
        ]
        #expect(daemon.received.map { $0.sorted() } == wanted.map { $0.sorted() })
    }

    /// A connection that was lost before the first event is gone on from where it began.
    @Test func aSubscriptionResumesFromHello() async {
        let daemon = FakeDaemon(
            [Self.hello("a", next: 6), Self.hello("a", next: 8) + Self.source("a", 6)], waitsForRequest: false)
        let words = await events(Subscription(socket: daemon.path, backOff: Self.fast), until: "a 6")
        #expect(words == ["hello a", "lost", "hello a", "a 6"])
    }

    @Test func aSubscriptionRequestsItsFilterWithAState() async throws {
        let state = #"{"v":1,"type":"state","as_of":1,"tracks":[],"time":"x"}"# + "\n"
        let paged = #"{"v":1,"type":"state","as_of":1,"more":true,"tracks":[]}"# + "\n"
        let daemon = FakeDaemon([Self.hello("a", next: 1) + paged + state + state + Self.source("a", 1)])
        let filter = Filter(kinds: ["barcode"], minimumConfidence: 0.5, value: "^x\"", stages: true)
        let words = await events(Subscription(socket: daemon.path, filter: filter, backOff: Self.fast), until: "a 1")
        #expect(words == ["hello a", "state", "a 1"])
        let request = try #require(daemon.received.first)
        for part in [
            #""kinds":["barcode"]"#, #""min_confidence":0.5"#, #""value_regex":"^x\"""#, #""state":true"#,
            #""stages":true"#,
        ] {
            #expect(request.contains(part), "\(request)")
        }
    }

    @Test(arguments: ["no JSON\n", "[1]\n", "{}\n", "\n", "\u{0}\u{1}\n", String(repeating: "x", count: 2 << 20)])
    func aPeerWithoutAnEventStreamIsALostConnection(garbage: String) async {
        let daemon = FakeDaemon([garbage, Self.source("a", 1)], waitsForRequest: false)
        let words = await events(Subscription(socket: daemon.path, backOff: Self.fast), until: "a 1")
        #expect(words == ["lost", "a 1"])
    }

    /// A request that the daemon does not understand would leave all lines on: no line is passed on. A connection that
    /// is not admitted may be admitted later.
    @Test func aRefusedRequestEndsTheSubscription() async {
        let refusal = #"{"v":1,"type":"error","reason":"no"}"# + "\n"
        let daemon = FakeDaemon([refusal, Self.hello("a", next: 1) + refusal + Self.source("a", 1)])
        let filter = Filter(minimumConfidence: .nan)
        let words = await events(Subscription(socket: daemon.path, filter: filter, backOff: Self.fast), until: "a 1")
        #expect(words == ["refused no", "lost", "hello a", "refused no"])
        // A value that is no number must not be left out, because that would ask for everything.
        #expect(daemon.received.allSatisfy { $0.contains(#""min_confidence":"nan""#) }, "\(daemon.received)")
    }

    @Test func aSubscriptionWithoutADaemonReportsTheError() async {
        let path = TestScope().path("nowhere")
        var reasons: [String] = []
        for await event in Subscription(socket: path, reconnects: false) {
            guard case .disconnected(let lost) = event.content else { continue }
            reasons.append(lost.reason)
            #expect(lost.retryAfter == nil)
        }
        #expect(reasons == ["\(path): No such file or directory"])
        #expect(
            await events(Subscription(socket: String(repeating: "x", count: 200), reconnects: false), until: "")
                == ["lost"])
    }

    /// While it waits for a line, and while it waits to connect again.
    @Test(arguments: [true, false]) func aCancelledTaskEndsTheSubscription(isConnected: Bool) async {
        let daemon = FakeDaemon([Self.hello("a", next: 1)], waitsForRequest: false)
        let path = isConnected ? daemon.path : daemon.scope.path("nowhere")
        let slow = BackOff(first: .seconds(3600), longest: .seconds(3600))
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for await _ in Subscription(socket: path, backOff: slow) {
                count += 1
                continuation.yield()
            }
            return count
        }
        // After `hello`, or the failed connection, the subscription only waits.
        for await _ in events { break }
        task.cancel()
        #expect(await task.value == 1)
    }

    @Test func reconnectionDelaysDoubleUpToTheLimit() async {
        let path = TestScope().path("nowhere")
        var waits: [Duration] = []
        for await event in Subscription(
            socket: path, backOff: BackOff(first: .milliseconds(1), longest: .milliseconds(4)))
        {
            if case .disconnected(let lost) = event.content, let wait = lost.retryAfter { waits.append(wait) }
            if waits.count == 5 { break }
        }
        for (wait, middle) in zip(waits, [1, 2, 4, 4, 4]) {
            #expect(wait >= .milliseconds(middle) * 0.75 && wait <= .milliseconds(middle) * 1.25)
        }
    }
}

extension Event {
    fileprivate var word: String {
        switch content {
        case .hello(let hello): "hello \(hello.runID)"
        case .gap(let gap): "gap \(gap.reason)"
        case .disconnected: "lost"
        case .state: "state"
        case .refused(let reason): "refused \(reason)"
        default: "\(position?.runID ?? "") \(position?.sequence ?? 0)"
        }
    }
}
