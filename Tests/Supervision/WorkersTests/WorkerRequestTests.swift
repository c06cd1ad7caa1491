// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing
import Workers

/// Pausing, resuming and restarting, in every state that a worker can be in.
@Suite struct WorkerRequestTests {
    private typealias Action = WorkerStateMachine.Action

    enum Request: Sendable { case pause, resume, restart, stop }

    /// The steps that bring the state machine into the state before the request.
    enum Scene: String, Sendable, CaseIterable {
        case idle, running, pausing, restarting, leaving, retrying, disabled, paused, ended, misconfigured, over
    }

    private struct Bench {
        var machine = WorkerStateMachine(
            limits: .init(
                stop: .seconds(5), backoff: .milliseconds(500)...(.seconds(30)), crashes: 2, crashWindow: .seconds(60)))
        var now = ContinuousClock.now

        init(_ scene: Scene) throws {
            if scene != .idle { _ = machine.startRequested(at: now) }
            switch scene {
            case .idle, .running: break
            case .pausing: _ = try machine.pauseRequested(at: now)
            case .restarting: _ = try machine.restartRequested(.reload, at: now)
            case .leaving: _ = machine.stopRequested(.reload, at: now)
            case .retrying: _ = exit(.signal(6))
            case .disabled:
                _ = exit(.signal(6))
                now += .seconds(1)
                _ = machine.timePassed(at: now, jitter: 0)
                #expect(exit(.signal(6)).contains { if case .report(.disabled, _, _, _) = $0 { true } else { false } })
            case .paused:
                _ = try machine.pauseRequested(at: now)
                _ = exit(.status(0))
            case .ended: _ = exit(.status(0))
            case .misconfigured: _ = exit(.status(78))
            case .over:
                _ = machine.stopRequested(.shutdown, at: now)
                _ = exit(.status(0))
            }
        }

        mutating func exit(_ exit: WorkerStateMachine.Exit) -> [Action] {
            machine.outputClosed(at: now, jitter: 0.5) + machine.exited(exit, at: now, jitter: 0.5)
        }

        mutating func fulfil(_ request: Request) throws(WorkerStateMachine.Refusal) -> [Action] {
            switch request {
            case .pause: try machine.pauseRequested(at: now)
            case .resume: try machine.resumeRequested(at: now)
            case .restart: try machine.restartRequested(.shutdown, at: now)
            case .stop: machine.stopRequested(.shutdown, at: now)
            }
        }
    }

    /// The immediate effect of each request, and its effect when a stopping worker ends in any way.
    @Test(
        arguments: [
            (.idle, .pause, [.report(.paused)], []),
            (.running, .pause, [.ask(.shutdown)], [.cleanUp(.shutdown), .report(.paused)]),
            (.pausing, .pause, [], [.cleanUp(.shutdown), .report(.paused)]),
            (.restarting, .pause, [], [.cleanUp(.reload), .report(.paused)]),
            (.retrying, .pause, [.report(.paused)], []), (.disabled, .pause, [.report(.paused)], []),
            (.paused, .pause, [], []), (.ended, .pause, [.report(.paused)], []),
            (.misconfigured, .pause, [.report(.paused)], []),

            (.pausing, .resume, [], [.cleanUp(.shutdown), .spawn(epoch: 2)]),
            (.restarting, .resume, [], [.cleanUp(.reload), .spawn(epoch: 2)]),
            (.retrying, .resume, [.spawn(epoch: 2)], nil), (.disabled, .resume, [.spawn(epoch: 3)], nil),
            (.paused, .resume, [.spawn(epoch: 2)], nil), (.misconfigured, .resume, [.spawn(epoch: 2)], nil),
            (.idle, .resume, [.spawn(epoch: 1)], nil),

            (.running, .restart, [.ask(.shutdown)], [.cleanUp(.shutdown), .spawn(epoch: 2)]),
            (.pausing, .restart, [], [.cleanUp(.shutdown), .spawn(epoch: 2)]),
            (.restarting, .restart, [], [.cleanUp(.reload), .spawn(epoch: 2)]),
            (.retrying, .restart, [.spawn(epoch: 2)], nil), (.disabled, .restart, [.spawn(epoch: 3)], nil),
            (.paused, .restart, [.spawn(epoch: 2)], nil), (.ended, .restart, [.spawn(epoch: 2)], nil),
            (.misconfigured, .restart, [.spawn(epoch: 2)], nil),

            (.running, .stop, [.ask(.shutdown)], [.cleanUp(.shutdown), .finish]),
            (.pausing, .stop, [], [.cleanUp(.shutdown), .finish]),
            (.restarting, .stop, [], [.cleanUp(.reload), .finish]),
            (.leaving, .stop, [], [.cleanUp(.reload), .finish]), (.retrying, .stop, [.finish], []),
            (.disabled, .stop, [.finish], []), (.paused, .stop, [.finish], []), (.ended, .stop, [.finish], []),
            (.over, .stop, [], []),
        ] as [(Scene, Request, [WorkerStateMachine.Action], [WorkerStateMachine.Action]?)])
    func workerRequestsHaveTheirEffect(
        scene: Scene, request: Request, now: [WorkerStateMachine.Action], after: [WorkerStateMachine.Action]?
    ) throws {
        for exit in [.status(0), .signal(11), .status(1), .status(78)] as [WorkerStateMachine.Exit] {
            var bench = try Bench(scene)
            #expect(try bench.fulfil(request) == now)
            guard let after else { continue }
            #expect(bench.machine.isSettled == after.isEmpty)
            #expect(bench.exit(exit) == after)
            #expect(bench.machine.isSettled)
        }
    }

    @Test(
        arguments: [
            (.running, .resume, "it is not paused"), (.ended, .resume, "its file has ended; restart runs it again"),
            (.leaving, .pause, "it is being removed"), (.leaving, .resume, "it is being removed"),
            (.leaving, .restart, "it is being removed"), (.over, .pause, "it is being removed"),
            (.over, .resume, "it is being removed"), (.over, .restart, "it is being removed"),
        ] as [(Scene, Request, String)])
    func refusedWorkerRequestsHaveAReason(scene: Scene, request: Request, reason: String) throws {
        var bench = try Bench(scene)
        let error = #expect(throws: WorkerStateMachine.Refusal.self) { try bench.fulfil(request) }
        #expect(error?.description == reason)
    }

    @Test(arguments: Scene.allCases) func aPausedPipelineStaysPaused(scene: Scene) throws {
        guard scene != .leaving, scene != .over else { return }
        var bench = try Bench(scene)
        _ = try bench.fulfil(.pause)
        _ = bench.exit(.signal(9))
        #expect(bench.machine.isPaused && bench.machine.nextDeadline == nil)
        bench.now += .seconds(1000)
        #expect(bench.machine.timePassed(at: bench.now, jitter: 0) == [])
    }

    /// A request for a new worker forgets the failures of the old ones.
    @Test func aResumeResetsTheCrashCountOfAWorker() throws {
        var bench = try Bench(.disabled)
        #expect(try bench.fulfil(.resume) == [.spawn(epoch: 3)])
        #expect(bench.exit(.signal(6)).last == .report(.retrying, attempt: 1, retry: .milliseconds(500)))
    }

    @Test func aWorkerThatDoesNotPauseIsKilled() throws {
        var bench = try Bench(.pausing)
        var actions: [WorkerStateMachine.Action] = []
        for _ in 0..<3 {
            guard let deadline = bench.machine.nextDeadline else { break }
            bench.now = deadline
            actions += bench.machine.timePassed(at: bench.now, jitter: 0)
        }
        #expect(actions == [.terminate, .kill(nil), .cleanUp(.shutdown), .report(.paused)])
    }
}
