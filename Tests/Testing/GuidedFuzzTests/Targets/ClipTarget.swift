// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Observations

@testable import Clips
@testable import GStreamerSource

extension FuzzTarget {
    /// A script of frames, answers, events and turns for the ring of encoded frames and the cutter of clips.
    ///
    /// The ring has no gap and begins with a key frame. The decoder receives a frame only after the frame before it, or
    /// a key frame. Clips begin with key frames, have no gap, and show no frame twice. Only
    /// a clip of a later visit may begin within the clip before, for its pre-roll.
    static let clip = FuzzTarget(name: "clip", longest: 512) { input in
        var script = Script(bytes: input[...])
        var camera = Camera(&script)
        while !script.isAtEnd { try camera.step(&script) }
    }
}

/// Takes small numbers off an input; 0 at its end.
private struct Script {
    var bytes: ArraySlice<UInt8>

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func next() -> Int { Int(bytes.popFirst() ?? 0) }

    /// 0 to 2^60, in steps of a logarithm.
    mutating func size() -> Int64 {
        let byte = next()
        return Int64(byte & 0xF) << (byte >> 4 * 4 % 60)
    }
}

private struct Camera {
    private var idling: KeyFrameIdling<Void>
    private let limits: IdleLimits
    private var demand: ClipDemand
    private var cutter: ClipCutter
    /// The time stamp of the newest frame.
    private var time: Int64 = 0
    private var format = 0
    /// The formats of the frames, from the first on.
    private var formats: [Int] = []
    /// The number of the last frame that the decoder received.
    private var decoded: UInt64 = 0
    private var clip: ClosedRange<UInt64>?
    private var isClipOpen = false
    /// The newest frame in clips of the demand that began at `start`.
    private var newestInClips: UInt64 = 0
    private var start: Int64?
    private var event: UInt64 = 0

    init(_ script: inout Script) {
        limits = IdleLimits(
            duration: 5_000_000_000, bytes: 1 << (script.next() % 24), interval: Int64(script.next()) * 10_000_000,
            ring: Int64(script.next()) * 100_000_000)
        idling = KeyFrameIdling(limits)
        demand = ClipDemand([.kind(.face, label: nil)], after: Int64(script.next()) * 100_000_000)
        cutter = ClipCutter(
            before: Int64(script.next()) * 100_000_000, maximumLength: Int64(script.next()) * 1_000_000_000)
    }

    mutating func step(_ script: inout Script) throws {
        switch script.next() % 16 {
        case 0: try arrive(isKey: true, bytes: Int(script.size() % (1 << 30)), time + 33_333_333)
        case 1...4: try arrive(isKey: false, bytes: script.next(), time + 33_333_333)
        case 5: try arrive(isKey: script.next() % 4 == 0, bytes: script.next(), time + script.size() % (1 << 50))
        case 6: try arrive(isKey: script.next() % 4 == 0, bytes: script.next(), max(0, time - script.size()))
        case 7: try arrive(isKey: script.next() % 4 == 0, bytes: script.next(), nil)
        case 8: idling.mayIdle(true)
        case 9: idling.mayIdle(false)
        case 10: idling.answer(isChanged: script.next() % 2 == 1)
        case 11: format += 1
        case 12: take(.detected)
        case 13: take(.missing)
        case 14: try cut(until: .max)
        default: try cut(until: time - script.size())
        }
    }

    private mutating func arrive(isKey: Bool, bytes: Int, _ stamp: Int64?) throws {
        if let stamp { time = stamp }
        formats.append(format)
        switch idling.arrive((), time: stamp, bytes: bytes, isKey: isKey) {
        case .pass(let item, _), .glance(let item): try decode(item)
        case .hold: break
        case .catchUp(let items, let item):
            for (item, _) in items { try decode(item) }
            try decode(item)
        }
        let items = idling.ring.items
        try require(items.first?.isKey ?? true, "the ring begins with frame \(items.first?.number ?? 0)")
        for (one, next) in zip(items, items.dropFirst()) {
            try require(next.number == one.number + 1, "\(one.number), then \(next.number)")
        }
        try require(idling.ring.bytes == items.reduce(0) { $0 + $1.bytes }, "\(idling.ring.bytes)")
    }

    private mutating func decode(_ item: EncodedItem<Void>) throws {
        try require(item.isKey || item.number == decoded + 1, "frame \(item.number) is decoded after \(decoded)")
        decoded = item.number
    }

    private mutating func take(_ phase: TrackPhase) {
        var seen = SampleEvents.trackEvent(phase, id: 7, frame: 1)
        seen.frame.presentationTime = time
        demand.take(.track(seen))
    }

    private mutating func cut(until limit: Int64) throws {
        let (ring, formats) = (idling.ring, formats)
        let steps = cutter.steps(demand, until: limit) { number in
            ring.items(after: number).map {
                EncodedFrame(
                    number: $0.number, presentationTime: $0.time, bytes: $0.bytes, isKey: $0.isKey,
                    format: formats[Int($0.number) - 1])
            }
        }
        for step in steps {
            switch step {
            case .begin(let frame, _):
                try require(!isClipOpen && frame.isKey, "\(steps)")
                (isClipOpen, clip) = (true, nil)
                if start != demand.start { (start, newestInClips) = (demand.start, 0) }
            case .append(let numbers):
                try require(isClipOpen && numbers.lowerBound > newestInClips, "\(numbers) after \(newestInClips)")
                try require(clip.map { $0.upperBound + 1 == numbers.lowerBound } ?? true, "\(steps)")
                try require(ring.items(after: numbers.lowerBound - 1).first?.number == numbers.lowerBound, "\(steps)")
                clip = (clip?.lowerBound ?? numbers.lowerBound)...numbers.upperBound
                newestInClips = numbers.upperBound
            case .end:
                try require(isClipOpen && clip != nil, "\(steps)")
                isClipOpen = false
            }
        }
        try require(cutter.isOpen == isClipOpen, "\(steps)")
    }
}
