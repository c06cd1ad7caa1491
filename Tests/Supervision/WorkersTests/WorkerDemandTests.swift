// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing
import Workers

/// A worker that runs only while a subscriber needs it.
@Suite struct WorkerDemandTests {
    private var machine = WorkerStateMachine(
        limits: .init(
            stop: .seconds(5), backoff: .milliseconds(500)...(.seconds(30)), crashes: 5, crashWindow: .seconds(60)))
    private let now = ContinuousClock.now
    private let resting = WorkerStateMachine.Action.reportRest

    private mutating func exit() -> [WorkerStateMachine.Action] {
        machine.outputClosed(at: now, jitter: 0) + machine.exited(.status(0), at: now, jitter: 0)
    }

    @Test mutating func aWorkerOnDemandRestsUntilASubscriberComes() {
        #expect(machine.unneeded(at: now) == [resting])
        #expect(machine.unneeded(at: now) == [])
        #expect(machine.isPaused && machine.nextDeadline == nil)
        #expect(machine.needed(at: now) == [.spawn(epoch: 1)])
        #expect(machine.needed(at: now) == [])
    }

    @Test mutating func aWorkerOnDemandEndsInOrder() {
        _ = machine.startRequested(at: now)
        #expect(machine.unneeded(at: now) == [.ask(.shutdown)])
        #expect(exit() == [.cleanUp(.shutdown), resting])
        #expect(machine.needed(at: now) == [.spawn(epoch: 2)])
    }

    @Test mutating func aSubscriberThatComesWhileTheWorkerEndsGetsAnotherWorker() {
        _ = machine.startRequested(at: now)
        _ = machine.unneeded(at: now)
        #expect(machine.needed(at: now) == [])
        #expect(exit() == [.cleanUp(.shutdown), .spawn(epoch: 2)])
        _ = machine.unneeded(at: now)
        _ = machine.needed(at: now)
        #expect(machine.unneeded(at: now) == [])
        #expect(exit() == [.cleanUp(.shutdown), resting])
    }

    @Test mutating func aSubscriberEndsTheWaitForTheNextTry() {
        _ = machine.startRequested(at: now)
        _ = machine.outputClosed(at: now, jitter: 0)
        _ = machine.exited(.signal(6), at: now, jitter: 0)
        #expect(machine.nextDeadline != nil)
        #expect(machine.unneeded(at: now) == [resting])
        #expect(machine.nextDeadline == nil)
    }

    @Test mutating func demandDoesNotStartAPausedWorker() throws {
        _ = machine.startRequested(at: now)
        _ = try machine.pauseRequested(at: now)
        #expect(machine.unneeded(at: now) == [] && machine.needed(at: now) == [])
        #expect(exit() == [.cleanUp(.shutdown), .report(.paused)])
        #expect(machine.unneeded(at: now) == [] && machine.needed(at: now) == [])
    }

    @Test mutating func aRestingWorkerRefusesAResumeAndARestart() throws {
        _ = machine.unneeded(at: now)
        #expect(throws: WorkerStateMachine.Refusal.self) { try machine.resumeRequested(at: now) }
        #expect(throws: WorkerStateMachine.Refusal.self) { try machine.restartRequested(.shutdown, at: now) }
        #expect(try machine.pauseRequested(at: now) == [.report(.paused)])
        #expect(machine.needed(at: now) == [])
        #expect(machine.stopRequested(.shutdown, at: now) == [.finish])
    }
}
