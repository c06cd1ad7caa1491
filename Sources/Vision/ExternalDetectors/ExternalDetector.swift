// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations
import Settings

/// A detector that is a program: it reads frames from shared memory and writes a line for each.
///
/// A program that breaks the protocol is ended, and this detector with it.
package final class ExternalDetector: Detector {
    /// A program may read a large model before it is ready. Less than the time after which a worker counts as stuck.
    static let startLimit = Duration.seconds(20)

    /// From the end of a program's output to its own.
    private static let endLimit = Duration.seconds(1)

    private let settings: ExternalSettings
    private let starter: any ProgramStarter
    private let ring: FrameRing
    private let pipes: ProgramPipes
    private let region: NormalizedRegion
    private let scaler = FrameScaler()
    private var slot = 0
    /// The program's own words about its model.
    let model: String?

    /// Starts the program, and waits until it is ready.
    init(_ settings: ExternalSettings, starter: any ProgramStarter) throws(DetectorError) {
        self.settings = settings
        self.starter = starter
        region = settings.region
        let layout = RingLayout(settings.format, width: settings.width)
        let ring = try FrameRing(layout)
        self.ring = ring
        let pipes = try Self.ending { () throws(DetectorError) in
            try ProgramPipes { (input, output) throws(DetectorError) in
                try starter.start(input: input, output: output, ring: ring.descriptor)
            }
        }
        self.pipes = pipes
        model = try Self.judging(starter) { () throws(ProgramPipes.Fault) in
            try pipes.send(ProgramMessage.greeting(layout))
            let line = try pipes.receive(within: Self.startLimit)
            guard let greeting = ProgramGreeting(line) else {
                throw .init(text: "its first line is no greeting: \(ProgramAnswer.start(of: line))")
            }
            guard greeting.ready else {
                throw .init(text: "it is not ready: \(greeting.error ?? "it gives no reason")")
            }
            return greeting.model ?? greeting.name
        }
    }

    deinit { _ = starter.end() }

    package func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        let picture = ring.layout.picture(width: frame.width, height: frame.height)
        slot = (slot + 1) % RingLayout.slots
        try scaler.scale(frame, to: picture, in: ring.slot(slot))
        let view = FrameView(frame, region: region)
        let (x, y) = (picture.width.over(frame.width), picture.height.over(frame.height))
        let message = ProgramMessage.frame(
            frame.info.sequence, slot: slot, picture, time: frame.info.presentationTime,
            region: [view.x.scaled(x), view.y.scaled(y), view.width.scaled(x), view.height.scaled(y)])
        let (pipes, settings) = (pipes, settings)
        let answer = try Self.judging(starter) { () throws(ProgramPipes.Fault) in
            try pipes.send(message)
            let line = try pipes.receive(within: settings.timeout)
            do throws(ProgramAnswer.Problem) {
                let answer = try ProgramAnswer(line)
                guard answer.frame == frame.info.sequence else {
                    throw .init(description: "is for frame \(answer.frame), not for frame \(frame.info.sequence)")
                }
                return answer
            } catch {
                throw .init(text: "its answer \(error)")
            }
        }
        do throws(ProgramAnswer.Problem) {
            let detections = try answer.detections(
                settings.kind, picture: (picture.width, picture.height), frame: (frame.width, frame.height))
            return detections.filter(isInRegion(of: view)).compactMap(settings.admitted)
        } catch {
            throw DetectorError("its answer \(error)")
        }
    }

    /// Ends the program's input, and waits until it ends by itself.
    ///
    /// - Throws: if it writes another line, does not end in time, or ends with another status than 0.
    func finish() throws(DetectorError) {
        let (pipes, limit) = (pipes, settings.timeout)
        do throws(ProgramPipes.Fault) {
            pipes.endInput()
            let line = try pipes.receive(within: limit)
            throw .init(text: "it wrote a line for no frame: \(ProgramAnswer.start(of: line))")
        } catch {
            guard error.isEnd else { throw DetectorError(error.isTimeout ? "it does not end" : error.text) }
        }
        guard let end = starter.wait(within: Self.endLimit) else { throw DetectorError("it does not end") }
        if end != "exit status 0" { throw DetectorError("the program ended: \(end)") }
    }

    private func isInRegion(of view: FrameView) -> (Detection) -> Bool {
        let (left, top) = (Float(view.x), Float(view.y))
        let (right, bottom) = (left + Float(view.width), top + Float(view.height))
        return { detection in
            let centre = detection.box.center
            return (left...right).contains(centre.x) && (top...bottom).contains(centre.y)
        }
    }

    /// Ends the program at a fault. A program that ended by itself says so.
    private static func judging<Result>(
        _ starter: any ProgramStarter, _ body: () throws(ProgramPipes.Fault) -> Result
    ) throws(DetectorError) -> Result {
        do throws(ProgramPipes.Fault) {
            return try body()
        } catch {
            // A process is gone a moment after its output.
            let end = error.isEnd ? starter.wait(within: endLimit) : starter.end()
            let text = error.isEnd ? "the program ended\(end.map { ": \($0)" } ?? "")" : error.text
            throw DetectorError(text, endsDetector: true)
        }
    }

    private static func ending<Result>(
        _ body: () throws(DetectorError) -> Result
    ) throws(DetectorError) -> Result {
        do throws(DetectorError) {
            return try body()
        } catch {
            throw DetectorError(error.description, endsDetector: true)
        }
    }
}

extension Int {
    fileprivate func over(_ other: Int) -> Double { Double(self) / Double(other) }
    fileprivate func scaled(_ factor: Double) -> Int { Int((Double(self) * factor).rounded()) }
}
