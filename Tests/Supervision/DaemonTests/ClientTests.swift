// SPDX-License-Identifier: Apache-2.0
import Conformance
import Glibc
import GlimpseClient
import GlimpseTesting
import Synchronization
import Testing

/// The Swift client library and the real daemon.
@Suite struct ClientTests {
    private let bench = DaemonBench()
    private var path: String { bench.scope.path("e.sock") }

    private func subscription(_ filter: Filter = Filter(), after position: Position? = nil) -> Subscription {
        Subscription(
            socket: path, filter: filter, after: position,
            backOff: BackOff(first: .milliseconds(5), longest: .milliseconds(50)))
    }

    /// The daemon is killed with SIGKILL, and another daemon starts. The old run's events end with an error, and the
    /// new run's events are complete.
    @Test func aClientContinuesWithAnotherDaemon() async throws {
        bench.configure()
        bench.write("door", "connect; tracks 2; updates 100000 5")
        bench.run()
        _ = try await bench.subscribe()
        var runs: [String] = []
        var (sequences, reasons): ([[UInt64]], [String]) = ([], [])
        var hasStartedAgain = false
        for await event in subscription(after: Position(sequence: 0)) {
            switch event.content {
            case .hello(let hello):
                runs.append(hello.runID)
                sequences.append([])
            case .gap(let gap): reasons.append(gap.reason)
            case .disconnected where !runs.isEmpty && !hasStartedAgain:
                hasStartedAgain = true
                bench.run()
            default: break
            }
            guard let position = event.position else { continue }
            sequences[sequences.count - 1].append(position.sequence)
            if sequences[sequences.count - 1].count == 100 {
                if runs.count == 2 { break }
                bench.daemon?.send(SIGKILL)
            }
        }
        #expect(Set(runs).count == 2)
        #expect(reasons == ["other_run"])
        for numbers in sequences { #expect(numbers == Array(1...UInt64(numbers.count))) }
    }

    /// A slow client is disconnected at the stall limit. It reconnects and receives the remaining events, or gaps that
    /// name the missing ones.
    @Test func aSlowClientReceivesConformingEvents() async throws {
        bench.configure(events: "stall_limit = \"1s\"")
        bench.write("door", "connect; tracks 4; updates 1000 0")
        bench.run()
        let witness = try await bench.subscribe()
        witness.send(#"{"after":0}"#)
        let control = try await bench.control()
        var check = ConformanceCheck(isOpen: true)
        var connections = 0
        var reached: UInt64 = 0
        for await event in subscription(after: Position(sequence: 0)) {
            switch event.content {
            case .hello:
                connections += 1
                guard connections == 1 else { break }
                // The client reads nothing until all events exist and the daemon has disconnected it.
                _ = try witness.lines { $0.frame?.seq == 1001 && $0.track?.id == "4" }
                witness.close()
                #expect(try await holds { try control.ask(#"{"status":true}"#).contains(#""subscribers":0"#) })
            case .track(let track): reached = track.frame.sequence
            default: break
            }
            // Each connection is a separate event stream.
            if case .disconnected = event.content { continue }
            check.take(event.json + [UInt8(ascii: "\n")])
            if reached == 1001 { break }
        }
        check.finish()
        #expect(check.violation == nil, "\(String(describing: check.violation))")
        #expect(connections >= 2)
    }

    /// A filter or position that the daemon refuses gives one error and no event.
    @Test(arguments: [
        (Filter(value: "("), nil, "a ( is not closed"), (Filter(minimumConfidence: .nan), nil, "min_confidence"),
        (Filter(), Position(sequence: 1_000_000), "after 1000000"),
    ]) func aRefusalEndsTheClient(filter: Filter, position: Position?, words: String) async throws {
        bench.configure()
        bench.write("door", "connect; tracks 1; updates 100000 5")
        bench.run()
        let other = try await bench.subscribe()
        _ = try other.lines { $0.type == "update" }
        var refusals: [String] = []
        for await event in subscription(filter, after: position) {
            if case .refused(let reason) = event.content { refusals.append(reason) }
            #expect(event.position == nil)
        }
        #expect(refusals.count == 1 && refusals[0].contains(words), "\(refusals)")
    }

    @Test func theFilterOfAClientHoldsFromTheStateOn() async throws {
        bench.configure()
        bench.write("door", "connect; tracks 1; updates 100000 5")
        bench.write("gate", "connect; tracks 1; updates 100000 5")
        bench.run()
        let other = try await bench.subscribe()
        _ = try other.lines { $0.type == "update" && $0.pipeline == "gate" }
        var pipelines: Set<String> = []
        var updates = 0
        for await event in subscription(Filter(pipelines: ["ga*"], types: ["update"], updateRate: 10)) {
            if case .state(let state) = event.content { pipelines.formUnion(state.tracks.map(\.pipeline)) }
            guard case .track(let track) = event.content else { continue }
            pipelines.insert(event.pipeline ?? "")
            #expect(track.phase == .update)
            updates += 1
            if updates == 5 { break }
        }
        #expect(pipelines == ["gate"])
    }
}
