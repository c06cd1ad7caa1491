// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

@Suite struct TimeSliceTests {
    private let bench = DaemonBench()

    /// Linux supports a time slice per thread since 6.12, and reports it if the kernel was built with scheduler
    /// debugging.
    private static var hasSlices: Bool {
        guard let release = try? TestFile.read("/proc/sys/kernel/osrelease"),
            FileManager.default.fileExists(atPath: "/proc/self/sched")
        else { return false }
        let numbers = String(decoding: release, as: UTF8.self).split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return !numbers.lexicographicallyPrecedes([6, 12])
    }

    /// Only the event loop's thread has short slices, not the threads that it starts.
    @Test(.enabled(if: hasSlices, "no turns of an own length in this kernel"))
    func onlyTheEventLoopHasShortTimeSlices() async throws {
        bench.configure()
        bench.write("door", "connect; tracks 1; updates 1000000 5")
        let daemon = bench.run()
        _ = try await bench.subscribe().lines { $0.type == "update" }
        let worker = try #require(ProcessFootprint.workers(of: daemon.process).first)
        var short: [String] = []
        var others = 0
        for process in [daemon.process, worker] {
            for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") {
                let text = String(decoding: try TestFile.read("/proc/\(process)/task/\(task)/sched"), as: UTF8.self)
                let slice = try #require(text.split(separator: "\n").first { $0.hasPrefix("se.slice") })
                if slice.hasSuffix(" 100000") { short.append(String(text.prefix(7))) } else { others += 1 }
            }
        }
        #expect(short == ["NIO-ELT"])
        #expect(others >= 2)
    }
}
