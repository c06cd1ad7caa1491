// SPDX-License-Identifier: Apache-2.0
// Usage: tracks FILE WIDTH HEIGHT RATE LENGTH | tracks SEEDS
//
// The tracker follows recorded detections, or that many random scenes of its tests. FILE has lines of the MOTChallenge:
// frame,id,x,y,width,height,score,...
//
// Prints each change as a line of JSON with the bits of its box, and at the end the sums of all lines. Equal output of
// two processors means equal tracks.
import BinaryFormat
import Glibc
import JSONLines
import Observations
import SHA2
import Tracking

@_cdecl("main") func main(_ count: CInt, _ arguments: UnsafePointer<UnsafePointer<CChar>?>) -> CInt {
    let numbers = (1..<Int(count)).map { arguments[$0].map { strtod($0, nil) } ?? 0 }
    var report = Report()
    switch (count, arguments[1]) {
    case (2, _):
        for seed in 0..<UInt64(numbers[0]) { report.replay(randomScene: seed) }
    case (6, let path?):
        let (width, height, rate, length) = (Int(numbers[1]), Int(numbers[2]), numbers[3], Int(numbers[4]))
        guard let detections = read(path, frames: length) else { return 65 }
        let frames = (1...length).map { number in
            let time = Int64((Double(number) / rate * 1e9).rounded())
            return FrameInfo(
                sequence: UInt64(number), presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
                width: width, height: height)
        }
        for configuration in [TrackerConfiguration.object, .erratic] {
            report.track(zip(frames, detections.dropFirst()).map { (frame: $0, detections: $1) }, configuration)
        }
    default: return 64
    }
    report.end()
    return 0
}

/// Prints the changes, and sums up the lines.
private struct Report {
    private var sum = SHA256()
    private var check = CRC32()

    mutating func replay(randomScene seed: UInt64) {
        var scene = RandomScene(seed: seed, isHostile: seed % 2 == 1)
        let frames = (0..<30).map { _ in scene.nextFrame() }
        for configuration in [TrackerConfiguration.object, .face, .barcode, .erratic, .barcode.hits(1)] {
            track(frames, configuration)
        }
    }

    mutating func track(_ frames: [(frame: FrameInfo, detections: [Detection])], _ configuration: TrackerConfiguration)
    {
        var tracker = Tracker(configuration)
        for (frame, detections) in frames {
            for change in tracker.process(detections, frame: frame) { tell(change, frame) }
        }
    }

    private mutating func tell(_ change: TrackChange, _ frame: FrameInfo) {
        let text = json(change, frame: frame.sequence)
        text.withUnsafeBytes { sum.update($0) }
        text.withUnsafeBytes { check.update($0) }
        print(String(decoding: text, as: UTF8.self))
    }

    func end() { print("\(sum.hexDigest()) \(String(check.value, radix: 16))") }
}

/// The detections of each frame, from number 0 on; nil for a file of another form.
private func read(_ path: UnsafePointer<CChar>, frames: Int) -> [[Detection]]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var detections = [[Detection]](repeating: [], count: frames + 1)
    var line = [CChar](repeating: 0, count: 256)
    while line.withUnsafeMutableBufferPointer({ fgets($0.baseAddress, 256, file) }) != nil {
        let fields = fields(of: &line).map(Float.init)
        guard fields.count == 7, detections.indices.contains(Int(fields[0])) else { return nil }
        let box = Box(x: fields[2], y: fields[3], width: fields[4], height: fields[5])
        detections[Int(fields[0])].append(
            Detection(box: box, confidence: fields[6], content: .object(ObjectLabels())))
    }
    return detections
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

private func json(_ change: TrackChange, frame: UInt64) -> [UInt8] {
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
