// SPDX-License-Identifier: Apache-2.0
import EventLines
import FragmentedVideo
import Frames
import Observations
import PictureStorage

/// Carries out the steps of `ClipCutter`: files, fragments, events. Used on one thread.
final class ClipWriting {
    private struct Current {
        var name: ClipName
        var start: Int64
        /// nil after a failure.
        var fragments: ClipFragments?
        var reasons: [String]
    }

    private let folder: ClipFolder
    private let video: any EncodedVideo
    private var cutter: ClipCutter
    private let tell: (ClipEvent) -> Void
    private let complain: (String) -> Void
    private var current: Current?

    init(
        _ folder: ClipFolder, _ video: any EncodedVideo, _ cutter: ClipCutter, tell: @escaping (ClipEvent) -> Void,
        complain: @escaping (String) -> Void
    ) {
        (self.folder, self.video, self.cutter) = (folder, video, cutter)
        (self.tell, self.complain) = (tell, complain)
    }

    /// The time of the newest frame in memory.
    var newest: Int64 { video.newestTime ?? .min + 1_000_000_000 }

    func hasWork(_ demand: ClipDemand) -> Bool { cutter.hasWork(demand) }

    func recover() {
        for clip in folder.recover() { tell(ClipEvent(clip, isRecovered: true)) }
    }

    /// - Parameters:
    ///   - shift: from presentation time to wall-clock time.
    ///   - lines: gives the lines of a range of presentation time.
    func write(
        _ demand: ClipDemand, until limit: Int64, shift: Int64, lines: (ClosedRange<Int64>) -> [UInt8]
    ) {
        let steps = cutter.steps(demand, until: limit) { video.frames(after: $0) }
        do {
            for step in steps {
                switch step {
                case .begin(let frame, let time): try begin(frame, at: time, shift, demand)
                case .append(let numbers): try append(numbers)
                case .end(let time):
                    if let current, time > current.start {
                        try folder.write([], events: lines(current.start...(time - 1)))
                    }
                    end()
                }
            }
            guard let current else { return }
            let reasons = demand.reasons.map(\.text).sorted()
            if reasons != current.reasons {
                self.current?.reasons = reasons
                try folder.note(current.name, reasons: reasons)
            }
            if cutter.time >= current.start {
                try folder.write([], events: lines(current.start...cutter.time))
            }
            if folder.isFull { abandon() }
        } catch {
            complain("warning: clips: \(error)")
            current?.fragments = nil
            abandon()
        }
    }

    /// Ends the clip, and waits for the next demand.
    private func abandon() {
        end()
        cutter.abandon()
    }

    /// Ends the clip. The cutter may have begun the next one already.
    func end() {
        if let current {
            do {
                var fragments = current.fragments
                try folder.write(fragments?.finish() ?? [], events: [])
            } catch {
                complain("warning: clips: \(error)")
            }
            if let clip = folder.finish() { tell(ClipEvent(clip)) }
        }
        current = nil
    }

    private func begin(_ frame: EncodedFrame, at time: Int64, _ shift: Int64, _ demand: ClipDemand) throws {
        let header = MovieHeader.bytes(try video.description(at: frame.number))
        let name = ClipName(from: Timestamp(nanoseconds: time + shift), presentationTime: time)
        let reasons = demand.reasons.map(\.text).sorted()
        try folder.begin(name, reasons: reasons)
        current = Current(name: name, start: time, fragments: ClipFragments(start: time), reasons: reasons)
        try folder.write(header, events: [])
    }

    /// Takes the frames with these numbers that are still in memory.
    private func append(_ numbers: ClosedRange<UInt64>) throws {
        for frame in video.frames(after: numbers.lowerBound - 1).prefix(while: { $0.number <= numbers.upperBound }) {
            guard let content = video.content(of: frame.number) else { continue }
            let fragment = current?.fragments?.append(
                time: frame.presentationTime, isKey: frame.isKey, content: content)
            if let fragment, !fragment.isEmpty { try folder.write(fragment, events: []) }
        }
    }
}

extension ClipEvent {
    fileprivate init(_ clip: ClipFolder.Clip, isRecovered: Bool = false) {
        self.init(
            file: clip.file, events: clip.events, from: clip.name.from, to: clip.to,
            presentationTime: clip.name.presentationTime, frames: clip.frames, bytes: clip.bytes, reasons: clip.reasons,
            isRecovered: isRecovered)
    }
}
