// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing
import Workers

private typealias Action = WorkerStateMachine.Action

/// A machine and a clock that only the test moves.
private struct Bench {
    var machine: WorkerStateMachine
    var now = ContinuousClock.now

    init(crashes: Int = 100) {
        machine = WorkerStateMachine(
            limits: .init(
                stop: .seconds(5), backoff: .milliseconds(500)...(.seconds(30)), crashes: crashes,
                crashWindow: .seconds(60)))
    }

    mutating func start() -> [Action] { machine.startRequested(at: now) }
    mutating func stop(_ reason: CompletionReason = .shutdown) -> [Action] { machine.stopRequested(reason, at: now) }
    /// With a jitter in the middle: nothing more or less.
    mutating func exit(_ exit: WorkerStateMachine.Exit) -> [Action] {
        machine.outputClosed(at: now, jitter: 0.5) + machine.exited(exit, at: now, jitter: 0.5)
    }

    mutating func pass(_ duration: Duration, jitter: Double = 0.5) -> [Action] {
        now += duration
        return machine.timePassed(at: now, jitter: jitter)
    }

    var untilDeadline: Duration? { machine.nextDeadline.map { $0 - now } }
}

@Suite struct WorkerStateMachineTests {
    @Test func aWorkerIsStartedOnce() {
        var bench = Bench()
        #expect(bench.start() == [.spawn(epoch: 1)])
        #expect(bench.start() == [])
        #expect(bench.untilDeadline == nil)
    }

    @Test func aRetryOnlyEndsTheWaitOfAWorker() {
        var bench = Bench()
        #expect(bench.machine.retryRequested(at: bench.now) == [])
        _ = bench.start()
        #expect(bench.machine.retryRequested(at: bench.now) == [])
        _ = bench.exit(.status(1))
        #expect(bench.machine.retryRequested(at: bench.now) == [.spawn(epoch: 2)])
        #expect(bench.machine.restarts == 1)
        // The wait after the next failure is longer all the same.
        #expect(bench.exit(.status(1)).last == .report(.retrying, attempt: 2, retry: .seconds(1)))
    }

    @Test func aWorkerThatStopsInTimeIsNotKilled() {
        var bench = Bench()
        _ = bench.start()
        #expect(bench.stop() == [.ask(.shutdown)])
        #expect(bench.stop(.reload) == [])
        #expect(bench.pass(.seconds(2)) == [])
        #expect(bench.exit(.status(0)) == [.cleanUp(.shutdown), .finish])
        #expect(bench.untilDeadline == nil && bench.pass(.seconds(100)) == [])
    }

    @Test func aWorkerThatIgnoresAStopIsKilledThenGivenUp() {
        var bench = Bench()
        _ = bench.start()
        _ = bench.stop(.reload)
        #expect(bench.untilDeadline == .seconds(3))
        #expect(bench.pass(.seconds(3)) == [.terminate])
        #expect(bench.pass(.seconds(1)) == [.kill(nil)])
        #expect(bench.pass(.seconds(1)) == [.cleanUp(.reload), .finish])
    }

    @Test func aWorkerThatDiesWhileStoppingIsStopped() {
        var bench = Bench()
        _ = bench.start()
        _ = bench.stop()
        #expect(bench.exit(.signal(11)) == [.cleanUp(.shutdown), .finish])
    }

    @Test func theEndOfAFileEndsTheWorker() {
        var bench = Bench()
        _ = bench.start()
        #expect(bench.exit(.status(0)) == [.cleanUp(.endOfStream)])
        #expect(bench.untilDeadline == nil && bench.machine.hasEnded)
        #expect(bench.stop() == [.finish])
    }

    @Test(
        arguments: [
            (.signal(9), "the worker was killed by signal 9"), (.signal(6), "the worker was killed by signal 6"),
            (.status(1), "the worker exited with status 1"),
        ] as [(WorkerStateMachine.Exit, String)])
    func theDeathOfAWorkerIsReportedAndFollowedByARestart(exit: WorkerStateMachine.Exit, error: String) {
        var bench = Bench()
        _ = bench.start()
        #expect(
            bench.exit(exit) == [
                .cleanUp(.sourceLost), .report(.lost, error: error),
                .report(.retrying, attempt: 1, retry: .milliseconds(500)),
            ])
        #expect(bench.pass(.milliseconds(499)) == [])
        #expect(bench.pass(.milliseconds(1)) == [.spawn(epoch: 2)])
    }

    @Test func aSourceStateThatTheWorkerReportedIsNotReportedTwice() {
        var bench = Bench()
        _ = bench.start()
        bench.machine.sourceReported(.connected)
        bench.machine.sourceReported(.lost)
        #expect(
            bench.exit(.status(1)) == [
                .cleanUp(.sourceLost), .report(.retrying, attempt: 1, retry: .milliseconds(500)),
            ])
    }

    @Test func theOutputOfADeadWorkerIsReadToTheEnd() {
        var bench = Bench()
        _ = bench.start()
        #expect(bench.machine.exited(.signal(9), at: bench.now, jitter: 0.5) == [])
        #expect(bench.machine.outputClosed(at: bench.now, jitter: 0.5).first == .cleanUp(.sourceLost))
    }

    @Test func theOutputOfADeadWorkerIsNotReadForEver() {
        var bench = Bench()
        _ = bench.start()
        #expect(bench.machine.exited(.signal(9), at: bench.now, jitter: 0.5) == [])
        #expect(bench.pass(.milliseconds(999)) == [])
        #expect(bench.pass(.milliseconds(1)).first == .cleanUp(.sourceLost))
        #expect(bench.machine.outputClosed(at: bench.now, jitter: 0.5) == [])
    }

    @Test func aWorkerThatClosesItsOutputAndStaysIsKilled() {
        var bench = Bench()
        _ = bench.start()
        #expect(bench.machine.outputClosed(at: bench.now, jitter: 0.5) == [])
        #expect(bench.pass(.seconds(1)) == [.kill("it closed its output without exiting")])
        #expect(
            bench.machine.exited(.signal(9), at: bench.now, jitter: 0.5)[1]
                == .report(.lost, error: "the worker failed: it closed its output without exiting"))
    }

    @Test func aWorkerSilentAfterHeartbeatsHangs() {
        var bench = Bench()
        _ = bench.start()
        #expect(bench.pass(.seconds(1000)) == [])
        bench.machine.heartbeatArrived(at: bench.now)
        #expect(bench.untilDeadline == .seconds(10))
        #expect(bench.pass(.seconds(9)) == [])
        bench.machine.heartbeatArrived(at: bench.now)
        #expect(bench.pass(.seconds(9)) == [])
        #expect(bench.pass(.seconds(1)) == [.kill("no heartbeat for 10.0 seconds")])
        #expect(bench.pass(.seconds(1)) == [])
        #expect(
            bench.exit(.signal(9))[1] == .report(.lost, error: "the worker failed: no heartbeat for 10.0 seconds"))
    }

    @Test func backOffDoublesUpToTheLimitAndResetsAfterAGoodRun() {
        var bench = Bench()
        _ = bench.start()
        var waits: [Duration] = []
        for _ in 0..<9 {
            guard case .report(.retrying, _, let wait?, _) = bench.exit(.status(1)).last else { break }
            waits.append(wait)
            #expect(bench.pass(wait).count == 1)
        }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        _ = bench.pass(.seconds(31))
        #expect(bench.exit(.status(1)).last == .report(.retrying, attempt: 1, retry: .milliseconds(500)))
    }

    @Test func backOffJitterIsAQuarterAndNeverOverTheLimit() {
        for (jitter, expected) in [(0.0, 375), (0.5, 500), (0.999, 624)] {
            var bench = Bench()
            _ = bench.start()
            _ = bench.machine.outputClosed(at: bench.now, jitter: jitter)
            guard
                case .report(.retrying, _, let wait?, _) = bench.machine.exited(
                    .status(1), at: bench.now, jitter: jitter
                ).last
            else { Issue.record("no restart"); continue }
            #expect(Int(wait / .milliseconds(1)) == expected)
        }
    }

    @Test func manyCrashesDisableAWorkerForAWhile() {
        var bench = Bench(crashes: 3)
        _ = bench.start()
        for _ in 0..<2 {
            guard case .report(.retrying, _, let wait?, _) = bench.exit(.signal(6)).last else {
                return #expect(Bool(false))
            }
            _ = bench.pass(wait)
        }
        #expect(
            bench.exit(.signal(6)).last
                == .report(
                    .disabled, retry: .seconds(300),
                    error: "3 crashes within 60.0 seconds; the last: the worker was killed by signal 6"))
        #expect(bench.pass(.seconds(299)) == [])
        #expect(bench.pass(.seconds(1)) == [.spawn(epoch: 4)])
    }

    @Test func aMissingCameraIsNotACrashOfTheWorker() {
        var bench = Bench(crashes: 3)
        _ = bench.start()
        for attempt in 1...20 {
            bench.machine.sourceReported(.lost)
            guard case .report(.retrying, attempt, let wait?, _) = bench.exit(.status(1)).last else {
                return #expect(Bool(false))
            }
            _ = bench.pass(wait)
        }
    }

    @Test func aConfigurationErrorOfAWorkerIsNotRetried() {
        var bench = Bench()
        _ = bench.start()
        #expect(
            bench.exit(.status(78)) == [
                .cleanUp(.sourceLost), .report(.disabled, error: "the worker exited with status 78"),
            ])
        #expect(bench.untilDeadline == nil)
    }

    @Test func aWorkerThatWaitsForARestartStopsAtOnce() {
        var bench = Bench()
        _ = bench.start()
        _ = bench.exit(.status(1))
        #expect(bench.stop() == [.finish])
        #expect(bench.pass(.seconds(100)) == [])
    }

    @Test func aWorkerProgramThatCannotBeStartedIsRetried() {
        var bench = Bench()
        _ = bench.start()
        #expect(
            bench.machine.spawnFailed("cannot start x: No such file", at: bench.now, jitter: 0.5) == [
                .cleanUp(.sourceLost), .report(.lost, error: "the worker failed: cannot start x: No such file"),
                .report(.retrying, attempt: 1, retry: .milliseconds(500)),
            ])
    }
}
