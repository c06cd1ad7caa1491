// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import GlimpseTesting
import Relay
import Testing

@Suite struct TopicNamesTests {
    @Test func plainNamesStayAsTheyAre() {
        let topics = TopicNames(prefix: "site/glimpse", box: "box_1-A")
        #expect(topics.event("front-door") == "site/glimpse/box_1-A/front-door/event")
        #expect(topics.zone("d", "desk", "count") == "site/glimpse/box_1-A/d/zone/desk/count")
    }

    /// Names that become equal text keep different topics. Wildcards and levels cannot get into a topic.
    @Test func otherNamesHaveTheirHashInTheTopic() {
        let names = ["a.b", "a_b", "a b", "a/b", "a+b", "a#b", "ä", "Ä", "", "_", "a\u{0}b"]
        let levels = names.map(TopicNames.level)
        #expect(Set(levels).count == names.count, "\(levels)")
        #expect(levels.allSatisfy { $0.utf8.allSatisfy { "+#/ \u{0}".utf8.contains($0) == false && $0 < 0x80 } })
        #expect(TopicNames.level("de sk") == "de_sk-bed557")
    }
}

@Suite struct DeliveryWindowTests {
    private static func message(_ number: UInt64) -> DeliveryWindow.Message {
        .init(topic: "t", payload: [], position: Position(runID: "r", sequence: number))
    }

    @Test func theCursorWaitsForTheOldestMessage() {
        var window = DeliveryWindow(limit: 3)
        for number in 1...3 as ClosedRange<UInt64> { window.append(Self.message(number)) }
        #expect(!window.hasRoom)
        let tickets = (1...3).compactMap { _ in window.next()?.ticket }
        window.finished(tickets[1])
        window.finished(tickets[2])
        #expect(window.cursor == nil && window.count == 3)
        window.finished(tickets[0])
        #expect(window.cursor?.sequence == 3 && window.count == 0 && window.hasRoom)
    }

    @Test func theCursorPassesUnwantedEventsOnlyWhenNothingWaits() {
        var window = DeliveryWindow()
        window.passed(Position(runID: "r", sequence: 4))
        #expect(window.cursor?.sequence == 4)
        window.append(Self.message(5))
        window.passed(Position(runID: "r", sequence: 6))
        #expect(window.cursor?.sequence == 4)
    }

    /// Random acknowledgements, in any order, and lost connections. The cursor never passes a message that the broker
    /// has not, each connection publishes in order, and every message is delivered.
    @Test func randomConnectionsDeliverEveryMessageInOrder() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var window = DeliveryWindow(limit: Int.random(in: 1...9, using: &random))
            var (next, delivered) = (UInt64(1), Set<UInt64>())
            var pending: [(ticket: UInt64, number: UInt64)] = []
            var newest: UInt64 = 0
            while delivered.count < 100 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where window.hasRoom && next <= 100:
                    window.append(Self.message(next))
                    next += 1
                case 1, 2:
                    guard let (ticket, message) = window.next(), let number = message.position?.sequence else { break }
                    #expect(number > newest)
                    newest = number
                    pending.append((ticket, number))
                case 3 where !pending.isEmpty:
                    let done = pending.remove(at: Int.random(in: pending.indices, using: &random))
                    delivered.insert(done.number)
                    window.finished(done.ticket)
                case 4 where Int.random(in: 0..<9, using: &random) == 0:
                    // The broker may have messages whose acknowledgement was lost.
                    window.connectionLost()
                    (pending, newest) = ([], 0)
                default: break
                }
                let cursor = window.cursor?.sequence ?? 0
                #expect((1...100).prefix(Int(cursor)).allSatisfy { delivered.contains(UInt64($0)) })
            }
            #expect(window.cursor?.sequence == 100)
        }
    }
}

@Suite struct RetainedTopicsTests {
    @Test func onlyTheNewestPayloadOfATopicIsPublished() {
        var topics = RetainedTopics()
        topics.set("a", [1])
        topics.set("b", [1])
        topics.set("a", [2])
        #expect(topics.next()?.payload == [2] && topics.next()?.topic == "b" && topics.next() == nil)
        topics.set("a", [2])
        #expect(topics.next() == nil)
        topics.connected()
        #expect(topics.next() == nil, "values of before the connection")
        topics.set("a", [2])
        #expect(topics.next()?.payload == [2])
    }

    @Test func topicsOfEarlierProcessesAreRemoved() {
        var topics = RetainedTopics(known: ["old", "both"])
        topics.set("both", [1])
        topics.keep(only: ["both"])
        #expect(topics.next()?.topic == "both")
        let removal = topics.next()
        #expect(removal?.topic == "old" && removal?.payload == [] && topics.known == ["both"])
    }

    /// A connection that breaks before a removal is published does not forget it.
    @Test func aRemovalOutlivesItsConnection() {
        var topics = RetainedTopics(known: ["old"])
        topics.keep(only: [])
        topics.connected()
        #expect(topics.next()?.topic == "old")
    }
}

@Suite struct PacerTests {
    private let start = ContinuousClock.now

    /// The number of messages that may go in `seconds`, when new events come at `rate` per second.
    private func sent(_ pacer: inout Pacer, from: Double = 0, seconds: Double, incoming rate: Double) -> Int {
        var count = 0
        for step in 0..<Int(seconds * 1000) {
            let now = start + .seconds(from) + .milliseconds(step)
            if rate > 0, step % Int(1000 / rate) == 0 { pacer.eventArrived(at: now) }
            while pacer.takeTurn(at: now) { count += 1 }
        }
        return count
    }

    @Test func aBacklogIsSentAtTheReplayRate() {
        var pacer = Pacer(rate: 200, at: start)
        let count = sent(&pacer, seconds: 10, incoming: 0)
        #expect((2000...2060).contains(count), "\(count)")
    }

    @Test func aBacklogShrinksWhateverTheRateOfNewEvents() {
        var pacer = Pacer(rate: 10, at: start)
        _ = sent(&pacer, seconds: 10, incoming: 100)
        let count = sent(&pacer, from: 10, seconds: 10, incoming: 100)
        #expect((1850...2150).contains(count), "twice 100 a second: \(count)")
    }

    /// A wake-up for each message would cost more than the message.
    @Test func messagesOfABacklogGoTogether() {
        var pacer = Pacer(rate: 2000, at: start)
        _ = sent(&pacer, seconds: 1, incoming: 0)
        var batches: [Int] = []
        for step in 1000..<2000 {
            let count = sent(&pacer, from: Double(step) / 1000, seconds: 0.001, incoming: 0)
            if count > 0 { batches.append(count) }
        }
        #expect(batches.count <= 51 && batches.allSatisfy { (38...42).contains($0) }, "\(batches)")
    }

    @Test func theWaitEndsWhenATurnIsDue() {
        for rate in [1, 7, 200, 2000] {
            var pacer = Pacer(rate: rate, at: start)
            var now = start
            for _ in 0..<1000 {
                while pacer.takeTurn(at: now) {}
                #expect(pacer.wait > .zero && pacer.wait <= .seconds(max(1 / Double(rate), 0.0201)))
                now += pacer.wait + .nanoseconds(10)
                let hasTurn = pacer.takeTurn(at: now)
                #expect(hasTurn, "\(rate)")
            }
        }
    }

    @Test func noReplayRateIsNoLimit() {
        var pacer = Pacer(rate: 0, at: start)
        #expect((0..<10_000).allSatisfy { _ in pacer.takeTurn(at: start) })
    }
}
