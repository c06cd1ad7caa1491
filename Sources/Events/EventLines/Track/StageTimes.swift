/// Where a frame's time went on the way to an event, in microseconds. Measured, so never part of reproducible output, nor of a journal on disk.
public struct StageTimes: Sendable, Equatable {
    /// From the picture's coded data to the upright picture; without a decoder from the raw picture. nil: nobody measured it.
    public var decode: UInt32?
    /// Until the detector took it.
    public var wait: UInt32
    public var detect: UInt32
    /// Association and all tracker callbacks.
    public var track: UInt32
    /// From there until the event was encoded.
    public var emit: UInt32

    public init(decode: UInt32? = nil, wait: UInt32, detect: UInt32, track: UInt32, emit: UInt32 = 0) {
        self.decode = decode
        self.wait = wait
        self.detect = detect
        self.track = track
        self.emit = emit
    }

    /// The member of a line's object, which comes last: with the comma before it and the object's closing brace.
    package var ending: [UInt8] {
        let decode = decode.map { "\"decode\":\($0)," } ?? ""
        let times = #"\#(decode)"wait":\#(wait),"detect":\#(detect),"track":\#(track),"emit":\#(emit)"#
        return Array(#","\#(FieldName.stages)":{\#(times)}}"#.utf8)
    }

    /// Of a duration; over 71 minutes are 71 minutes, and less than nothing is nothing.
    package static func microseconds(_ duration: Duration) -> UInt32 {
        UInt32(clamping: Int64(max(0, duration / .microseconds(1))))
    }
}

extension FieldName {
    package static var stages: FieldName { FieldName("stages_us") }
}
