// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations
import Settings

/// Shows a program frames of many sizes, and says what is wrong with its answers.
package struct ProgramTrial {
    /// Widths and heights in pixels: ordinary, odd, upright, very small, very wide, and one that is scaled down.
    static let sizes = [(640, 360), (641, 363), (360, 640), (2, 2), (640, 20), (1920, 1080)]
    static let width = 640

    private let starter: any ProgramStarter
    private let timeout: Duration

    /// - Parameter timeout: the longest wait for an answer.
    package init(_ starter: any ProgramStarter, timeout: Duration) {
        (self.starter, self.timeout) = (starter, timeout)
    }

    /// Runs the program once with frames of one format. A program that ends is started again, once for each frame.
    ///
    /// - Parameter report: takes the word `ok` or `WRONG`, and a text.
    /// - Returns: whether nothing is wrong.
    package func run(_ format: ExternalSettings.Format, _ report: (_ mark: String, _ text: String) -> Void) -> Bool {
        var settings = ExternalSettings()
        settings.format = format
        settings.width = Self.width
        settings.timeout = timeout
        var (isRight, answers, found, longest) = (true, 0, 0, Duration.zero)
        func complain(_ text: String) {
            report("WRONG", "\(format.rawValue)\(text)")
            isRight = false
        }
        var detector: ExternalDetector?
        var number: UInt64 = 0
        for size in Self.sizes {
            for content in TrialPicture.Content.allCases {
                number += 1
                do throws(DetectorError) {
                    if detector == nil { detector = try ExternalDetector(settings, starter: starter) }
                    guard let running = detector else { continue }
                    let picture = TrialPicture(width: size.0, height: size.1, content)
                    let start = ContinuousClock.now
                    found += try running.detect(in: picture.frame(number)).count
                    longest = max(longest, .now - start)
                    answers += 1
                } catch {
                    if error.endsDetector { detector = nil }
                    complain(" \(size.0)x\(size.1) \(content.rawValue): \(error)")
                    // It will not start for the next frame either.
                    if answers == 0, error.endsDetector { return false }
                }
            }
        }
        do throws(DetectorError) {
            try detector?.finish()
        } catch {
            complain(" at the end of its input: \(error)")
        }
        let milliseconds = (longest / .milliseconds(1) * 10).rounded() / 10
        if isRight {
            report("ok", "\(format.rawValue): \(answers) answers, \(found) detections, longest \(milliseconds) ms")
        }
        return isRight
    }
}

/// A picture for a trial, in memory of its own.
private final class TrialPicture {
    enum Content: String, CaseIterable {
        case black, white, noise
    }

    private let planes: [UnsafeMutableBufferPointer<UInt8>]
    private let size: (width: Int, height: Int)
    private let chroma: (width: Int, height: Int)

    init(width: Int, height: Int, _ content: Content) {
        size = (width, height)
        chroma = ((width + 1) / 2, (height + 1) / 2)
        planes = [width * height, chroma.width * chroma.height, chroma.width * chroma.height].map {
            .allocate(capacity: $0)
        }
        // Numerical Recipes' generator: the same noise in every trial.
        var random: UInt32 = 1
        for (index, plane) in planes.enumerated() {
            for place in plane.indices {
                random = random &* 1_664_525 &+ 1_013_904_223
                switch content {
                case .black: plane[place] = index == 0 ? 16 : 128
                case .white: plane[place] = index == 0 ? 235 : 128
                case .noise: plane[place] = UInt8(random >> 24)
                }
            }
        }
    }

    deinit { for plane in planes { plane.deallocate() } }

    func frame(_ number: UInt64) -> Frame {
        let time = Int64(number) * 33_333_333
        let info = FrameInfo(
            sequence: number, presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
            width: size.width, height: size.height)
        let strides = [size.width, chroma.width, chroma.width]
        let planes = zip(planes, strides).compactMap { plane, stride in
            plane.baseAddress.map { Plane(base: UnsafePointer($0), stride: stride) }
        }
        return Frame(info: info, format: .i420, planes: planes, storage: self)
    }
}
