// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Detectors
import ExternalDetectors
import Frames
import Glibc
import ProgramHost
import Settings

/// Measures the share of this process in a detector that is a program: scaling, one line each way, waking up.
struct ProgramBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "program",
        abstract: "Microseconds of CPU and of delay for a detector that is a program and detects nothing.",
        discussion: "CPU is this process's. Delay is the rest of the time until the detector returns.")

    @Option(help: "Frames of each row.") var frames = 2000

    @Argument(help: "A photograph.") var picture: String

    /// The quickest program that every Debian has.
    private static let program = [
        "mawk", "-W", "interactive",
        #"NR == 1 { print "{\"ready\":true}"; next } { split($0, part, /[:,]/); print "{\"frame\":" part[2] ",\"detections\":[]}" }"#,
    ]

    func run() throws {
        print(
            """
            | frame | format, width | CPU us a frame, median | delay us, median | delay us, p99 |
            |---|---|---|---|---|
            """)
        for size in [(width: 1280, height: 720), (width: 1920, height: 1080)] {
            for (format, width) in [
                (ExternalSettings.Format.gray8, 1280), (.gray8, 640), (.nv12, 1280), (.nv12, 640), (.rgb24, 640),
            ] {
                print(try row(size, format, width))
            }
        }
    }

    private func row(_ size: (width: Int, height: Int), _ format: ExternalSettings.Format, _ width: Int) throws
        -> String
    {
        var settings = ExternalSettings()
        settings.format = format
        settings.width = width
        let host = try ProgramHost(command: Self.program)
        let detector = try ExternalDetectorFactory(settings, name: "none", starter: host).makeDetector().detector
        let frame = try Picture.frame(picture, size: size)
        var (costs, delays): ([Double], [Double]) = ([], [])
        for number in 1...frames + 20 {
            var info = frame.info
            info.sequence = UInt64(number)
            let next = frame.with(info)
            let (start, cost) = (ContinuousClock.now, 1000 * Measured.now())
            _ = try detector.detect(in: next)
            let (wall, cpu) = ((ContinuousClock.now - start) / .microseconds(1), 1000 * Measured.now() - cost)
            guard number > 20 else { continue }
            costs.append(cpu)
            delays.append(wall - cpu)
        }
        costs.sort()
        delays.sort()
        func text(_ value: Double) -> String { "\(Int(value.rounded()))" }
        return "| \(size.width)x\(size.height) | \(format.rawValue), \(width) | \(text(costs[frames / 2])) | "
            + "\(text(delays[frames / 2])) | \(text(delays[frames * 99 / 100])) |"
    }
}
