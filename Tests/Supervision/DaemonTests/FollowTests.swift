// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseClient
import GlimpseTesting
import Synchronization
import Testing

/// `Subscription.follow` and the real daemon.
@Suite struct FollowTests {
    /// The calls to the objects: the first letter of each call, and the reason of the last call.
    private final class Record: Sendable {
        let lives = Mutex<[String]>([])

        func follower() -> any TrackFollower {
            lives.withLock { lives in
                lives.append("")
                return Follower(self, lives.count - 1)
            }
        }

        func ended(_ reason: String) -> Int { lives.withLock { $0.count { $0.hasSuffix("c \(reason)") } } }

        private final class Follower: TrackFollower {
            private let record: Record
            private let index: Int

            init(_ record: Record, _ index: Int) { (self.record, self.index) = (record, index) }

            func detected(_ track: TrackEvent) { note("d") }
            func update(_ track: TrackEvent) { note("u") }
            func missing(_ track: TrackEvent) { note("m") }
            func completed(_ track: TrackEvent, reason: String) { note("c \(reason)") }

            private func note(_ call: String) { record.lives.withLock { $0[index] += call } }
        }
    }

    private let bench = DaemonBench()

    private var subscription: Subscription {
        Subscription(
            socket: bench.scope.path("e.sock"),
            backOff: BackOff(first: .milliseconds(5), longest: .milliseconds(50)))
    }

    /// Tracks that were live before, tracks that end and begin, a daemon that is killed, and another one.
    @Test func everyFollowedTrackHasOneObjectAndALegalLife() async throws {
        bench.configure()
        bench.write("door", "connect; tracks 2; updates 100000 5")
        bench.run()
        let other = try await bench.subscribe()
        _ = try other.lines { $0.type == "update" && $0.track?.id == "2" }
        let record = Record()
        let following = Task { [subscription] in
            try await subscription.follow { track in
                track.pipeline == "door" && track.kind == "face" ? record.follower() : nil
            }
        }
        #expect(await holds { record.lives.withLock { $0.count == 2 && $0.allSatisfy { $0.count > 5 } } })
        #expect(bench.command("restart", "door").status == 0)
        #expect(await holds { record.ended("shutdown") == 2 && record.lives.withLock(\.count) == 4 })
        bench.daemon?.send(SIGKILL)
        _ = bench.daemon?.finish()
        bench.run()
        #expect(await holds { record.ended("lost") == 2 && record.lives.withLock(\.count) == 6 })
        following.cancel()
        try await following.value
        #expect(record.ended("unfollowed") == 2)
        for life in record.lives.withLock(\.self) {
            #expect(life.wholeMatch(of: /du(?:u|m+u)*m*c [a-z_]+/) != nil, "\(life.prefix(20)) ... \(life.suffix(20))")
        }
    }

    /// The daemon refuses the filter, or no daemon runs.
    @Test func followThrowsTheReasonWhyItCannotContinue() async throws {
        bench.configure()
        bench.write("door", "connect; tracks 1; updates 100000 5")
        bench.run()
        _ = try await bench.subscribe()
        var wrong = subscription
        wrong.filter = Filter(value: "(")
        let refusal = await #expect(throws: FollowError.self) { try await wrong.follow { _ in nil } }
        #expect(refusal?.description.contains("a ( is not closed") == true, "\(String(describing: refusal))")
        var nobody = subscription
        (nobody.socket, nobody.reconnects) = (bench.scope.path("nowhere"), false)
        let absence = await #expect(throws: FollowError.self) { try await nobody.follow { _ in nil } }
        #expect(absence?.description.contains("No such file or directory") == true)
    }
}
