// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Dispatch
import Frames
import GStreamerSource
import Settings
import Synchronization

/// Starts a source again and again, and counts the starts without a first frame.
struct SourceStarts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources",
        abstract: "Starts the source of a pipeline many times: how often no frame comes, and the time to the first.")

    @Argument(help: "The pipeline's file.")
    var pipeline: String

    @Option(help: "The number of starts.")
    var count = 10_000

    @Option(help: "The number of sources that start at the same time.")
    var jobs = 8

    @Option(help: "A start without a frame after so many seconds hangs.")
    var patience = 10

    private enum Outcome {
        case frame(Duration)
        case hang
        case failure(String)
    }

    func run() throws {
        let settings = try PipelineSettings.load(file: pipeline).source
        let next = Atomic(0)
        let outcomes = Mutex<[Outcome]>([])
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while next.add(1, ordering: .relaxed).oldValue < count {
                let outcome = start(settings)
                outcomes.withLock { $0.append(outcome) }
            }
        }
        report(outcomes.withLock { $0 })
    }

    private func start(_ settings: SourceSettings) -> Outcome {
        let source = GStreamerSource(settings)
        defer { source.stop() }
        let clock = ContinuousClock()
        let begin = clock.now
        do {
            try source.start()
        } catch {
            return .failure("\(error)")
        }
        while clock.now - begin < .seconds(patience) {
            switch source.next(timeout: .milliseconds(100)) {
            case .frame: return .frame(clock.now - begin)
            case .nothing: break
            case .ended: return .failure("ended without a frame")
            case .failed(let error): return .failure("\(error)")
            }
        }
        return .hang
    }

    private func report(_ outcomes: [Outcome]) {
        var (times, hangs, failures) = ([Duration](), 0, [String: Int]())
        for outcome in outcomes {
            switch outcome {
            case .frame(let time): times.append(time)
            case .hang: hangs += 1
            case .failure(let text): failures[text, default: 0] += 1
            }
        }
        times.sort()
        func milliseconds(_ part: Double) -> Int {
            times.isEmpty ? 0 : Int(times[min(Int(Double(times.count) * part), times.count - 1)] / .milliseconds(1))
        }
        print(
            "\(outcomes.count) starts: \(hangs) hung, \(failures.values.reduce(0, +)) failed;",
            "first frame after \(milliseconds(0.5)) ms (median), \(milliseconds(0.99)) ms (p99), \(milliseconds(1)) ms")
        for (text, count) in failures.sorted(by: { $0.value > $1.value }) { print("  \(count): \(text)") }
    }
}
