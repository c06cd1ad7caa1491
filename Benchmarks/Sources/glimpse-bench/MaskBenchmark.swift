import ArgumentParser
import Glibc
import Glimpse

/// Time of painting masks.
struct MaskBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mask", abstract: "What masks cost a 1280x720 frame: the time to paint it.",
        discussion:
            "The median of the thread's own processor time, after a warm-up. A masked copy takes the copy's time in addition, "
            + "which a run without masks tells.")

    @Option(help: "Frames that are measured.")
    var frames = 2000

    private static let places: [(name: String, masks: [Mask])] = [
        ("a fifth, at the top", [Mask(name: "a", polygon: corners([(0, 0), (1, 0), (1, 0.2), (0, 0.2)]))]),
        (
            "four triangles, half of the frame",
            (0..<4).map { index in
                let x = 0.25 * Float(index)
                return Mask(name: "\(index)", polygon: corners([(x, 0), (x + 0.25, 0.5), (x, 1)]))
            }
        ),
        ("the whole frame", [Mask(name: "a", polygon: corners([(0, 0), (1, 0), (1, 1), (0, 1)]))]),
    ]

    func run() throws {
        print("| masked | NV12, us a frame | I420, us a frame |\n|---|---|---|")
        let copies = [PixelFormat.nv12, .i420].map { microseconds([], $0) }
        for (name, masks) in Self.places {
            let times = [PixelFormat.nv12, .i420].map { microseconds(masks, $0) }
            print("| \(name) | \(times[0] - copies[0]) | \(times[1] - copies[1]) |")
        }
        print("The copy alone: \(copies[0]) us and \(copies[1]) us.")
    }

    /// The time of a masked copy.
    private func microseconds(_ masks: [Mask], _ format: PixelFormat) -> Int {
        let frame = Self.frame(format)
        var mask = FrameMask(masks)
        var times: [Double] = []
        for number in 0..<frames + 100 {
            let start = Self.processorTime()
            let copy = mask.masked(frame)
            if number >= 100 { times.append(Self.processorTime() - start) }
            withExtendedLifetime(copy) {}
        }
        return Int((times.sorted()[times.count / 2] * 1e6).rounded())
    }

    private static func frame(_ format: PixelFormat) -> Frame {
        let (width, height) = (1280, 720)
        let memory = Memory(width * height * 3 / 2)
        let chroma = UnsafePointer(memory.base) + width * height
        let luma = Plane(base: UnsafePointer(memory.base), stride: width)
        let planes =
            format == .nv12
            ? [luma, Plane(base: chroma, stride: width)]
            : [
                luma, Plane(base: chroma, stride: width / 2),
                Plane(base: chroma + width * height / 4, stride: width / 2),
            ]
        return Frame(
            info: FrameInfo(
                sequence: 1, presentationTime: 0, time: Timestamp(nanoseconds: 0), clock: .file, width: width,
                height: height), format: format, planes: planes, storage: memory)
    }

    private final class Memory {
        let base: UnsafeMutablePointer<UInt8>

        init(_ count: Int) {
            base = .allocate(capacity: count)
            base.initialize(repeating: 90, count: count)
        }

        deinit { base.deallocate() }
    }

    private static func corners(_ points: [(Float, Float)]) -> [Point] { points.map { Point(x: $0.0, y: $0.1) } }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
