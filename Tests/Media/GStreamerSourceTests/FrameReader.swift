// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings

/// Reads a source to its end and keeps the values that tests check.
struct FrameReader {
    private(set) var frames: [Frame] = []
    private(set) var error: SourceError?
    /// Whether the deadline passed before the source ended or failed.
    private(set) var isOverdue = false

    var infos: [FrameInfo] { frames.map(\.info) }

    /// - Parameters:
    ///   - most: stops after so many frames.
    ///   - pause: how long the reader is busy with each frame.
    init(
        _ source: any FrameSource, most: Int = .max, within limit: Duration = patience, pause: Duration = .zero,
        keepsFrames: Bool = true
    ) {
        let deadline = ContinuousClock.now + limit
        do {
            try source.start()
        } catch {
            self.error = error
            return
        }
        defer { source.stop() }
        var count = 0
        while count < most {
            guard ContinuousClock.now < deadline else {
                isOverdue = true
                return
            }
            switch source.next(timeout: .milliseconds(100)) {
            case .frame(let frame):
                count += 1
                if keepsFrames { frames.append(frame) }
                if pause > .zero { wait(pause) }
            case .nothing: continue
            case .ended: return
            case .failed(let error):
                self.error = error
                return
            }
        }
    }

    init(_ settings: SourceSettings, most: Int = .max, within limit: Duration = patience, pause: Duration = .zero) {
        self.init(GStreamerSource(settings), most: most, within: limit, pause: pause)
    }

    init(launch text: String, most: Int = .max) {
        self.init(SourceSettings(kind: .launch(text)), most: most)
    }
}

extension Frame {
    func luma(_ x: Int, _ y: Int) -> Int { withPlanes { Int($0[0].base[y * $0[0].stride + x]) } }

    /// Mean luma of a rectangle given in proportions of the picture.
    func meanLuma(_ x: ClosedRange<Double> = 0...1, _ y: ClosedRange<Double> = 0...1) -> Double {
        let columns = Int(x.lowerBound * Double(width))..<max(1, Int(x.upperBound * Double(width)))
        let rows = Int(y.lowerBound * Double(height))..<max(1, Int(y.upperBound * Double(height)))
        var sum = 0
        for row in rows { for column in columns { sum += luma(column, row) } }
        return Double(sum) / Double(rows.count * columns.count)
    }

    /// The first sample of a chroma plane's row and column, blue and red.
    func chroma(_ x: Int, _ y: Int) -> (blue: Int, red: Int)? {
        withPlanes { planes in
            switch format {
            case .nv12:
                let base = planes[1].base + y / 2 * planes[1].stride + x / 2 * 2
                return (Int(base[0]), Int(base[1]))
            case .i420:
                return (
                    Int(planes[1].base[y / 2 * planes[1].stride + x / 2]),
                    Int(planes[2].base[y / 2 * planes[2].stride + x / 2])
                )
            case .gray8: return nil
            }
        }
    }
}
