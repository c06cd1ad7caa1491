// SPDX-License-Identifier: Apache-2.0
// tracks FILE WIDTH HEIGHT RATE LENGTH: replays detections in MOTChallenge's form (frame,id,x,y,width,height,score,...)
// through the tracker. Prints each change as a line of JSON with the bits of its box, and at the end the sums of all
// lines. Equal output of two processors means equal tracks.
import BinaryFormat
import Glibc
import JSONLines
import Observations
import SHA2
import Tracking

@_cdecl("main") func main(_ count: CInt, _ arguments: UnsafePointer<UnsafePointer<CChar>?>) -> CInt {
    guard count == 6, let path = arguments[1], let file = fopen(path, "r") else { return 64 }
    let numbers = (2..<6).map { arguments[$0].map { strtod($0, nil) } ?? 0 }
    let (width, height, rate, length) = (Int(numbers[0]), Int(numbers[1]), numbers[2], Int(numbers[3]))
    var detections = [[Detection]](repeating: [], count: length + 1)
    var line = [CChar](repeating: 0, count: 256)
    while line.withUnsafeMutableBufferPointer({ fgets($0.baseAddress, 256, file) }) != nil {
        let fields = fields(of: &line).map(Float.init)
        guard fields.count == 7, detections.indices.contains(Int(fields[0])) else { return 65 }
        let box = Box(x: fields[2], y: fields[3], width: fields[4], height: fields[5])
        detections[Int(fields[0])].append(
            Detection(box: box, confidence: fields[6], content: .object(ObjectLabels())))
    }
    var (sum, check) = (SHA256(), CRC32())
    for configuration in [TrackerConfiguration.object, .erratic] {
        var tracker = Tracker(configuration)
        for number in 1...length {
            let time = Int64((Double(number) / rate * 1e9).rounded())
            let frame = FrameInfo(
                sequence: UInt64(number), presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
                width: width, height: height)
            for change in tracker.process(detections[number], frame: frame) {
                let text = json(change, frame: number)
                text.withUnsafeBytes { sum.update($0) }
                text.withUnsafeBytes { check.update($0) }
                print(String(decoding: text, as: UTF8.self))
            }
        }
    }
    print("\(sum.hexDigest()) \(String(check.value, radix: 16))")
    return 0
}

/// The first seven numbers of a line.
private func fields(of line: inout [CChar]) -> [Double] {
    line.withUnsafeMutableBufferPointer { line in
        var fields: [Double] = []
        var next = line.baseAddress
        while let start = next, fields.count < 7 {
            var end: UnsafeMutablePointer<CChar>?
            fields.append(strtod(start, &end))
            next = end.flatMap { $0.pointee == CChar(UInt8(ascii: ",")) ? $0 + 1 : nil }
        }
        return fields
    }
}

private func json(_ change: TrackChange, frame: Int) -> [UInt8] {
    let box = change.track.box
    var json = JSONWriter()
    json.object { json in
        json.member("frame", frame)
        json.member("phase", name(of: change.phase))
        json.member("id", change.track.id.number)
        json.member("x", box.x)
        json.member("y", box.y)
        json.member("w", box.width)
        json.member("h", box.height)
        json.array("bits") { json in
            for side in [box.x, box.y, box.width, box.height] { json.element(side.bitPattern) }
        }
    }
    return Array(json.bytes)
}

private func name(of phase: TrackPhase) -> String {
    switch phase {
    case .detected: "detected"
    case .update: "update"
    case .missing: "missing"
    case .completed: "completed"
    }
}
