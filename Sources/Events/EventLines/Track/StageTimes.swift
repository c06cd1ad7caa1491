// SPDX-License-Identifier: Apache-2.0
/// The times that a frame spent in each stage on the way to an event, in microseconds. They are measured, so they are
/// never part of reproducible output or of a journal on disk.
public struct StageTimes: Sendable, Equatable {
    /// From the coded data of the picture to the upright picture; without a decoder, from the raw picture. nil if not
    /// measured.
    public var decode: UInt32?
    /// The time until the detector took the frame.
    public var wait: UInt32
    /// From the end of `wait` to the detector's result.
    public var detect: UInt32
    /// Association and all tracker callbacks.
    public var track: UInt32
    /// From the end of tracking until the event was encoded.
    public var emit: UInt32
    /// Whether an earlier frame's detections count for this frame, because it showed no change.
    public var isReused: Bool

    public init(
        decode: UInt32? = nil, wait: UInt32, detect: UInt32, track: UInt32, emit: UInt32 = 0, isReused: Bool = false
    ) {
        self.decode = decode
        self.wait = wait
        self.detect = detect
        self.track = track
        self.emit = emit
        self.isReused = isReused
    }

    /// The last members of the line's object, with their leading comma and the closing brace.
    package var ending: [UInt8] {
        let decode = decode.map { "\"decode\":\($0)," } ?? ""
        let times = #"\#(decode)"wait":\#(wait),"detect":\#(detect),"track":\#(track),"emit":\#(emit)"#
        let reused = isReused ? #","\#(FieldName.reused)":true"# : ""
        return Array(#"\#(reused),"\#(FieldName.stages)":{\#(times)}}"#.utf8)
    }

    /// The duration in microseconds, limited to 0 and to 71 minutes (the range of `UInt32`).
    package static func microseconds(_ duration: Duration) -> UInt32 {
        UInt32(clamping: Int64(max(0, duration / .microseconds(1))))
    }
}

extension FieldName {
    package static var reused: FieldName { FieldName("reused") }
    package static var stages: FieldName { FieldName("stages_us") }
}
