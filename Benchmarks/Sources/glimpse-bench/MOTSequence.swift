// SPDX-License-Identifier: Apache-2.0
import Glimpse

/// Detections of one sequence in the text format of the MOTChallenge: `frame,id,x,y,w,h,score,...`, frames from 1.
struct MOTSequence {
    /// Frames a second, and the picture's size in pixels.
    var frameRate = 0.0
    var width = 0
    var height = 0
    /// The last frame's number.
    var length = 0
    private var detectionsOfFrame: [Int: [Detection]] = [:]

    /// - Parameters:
    ///   - detections: the text of `det.txt`. A line that is not a detection is an error.
    ///   - information: the text of `seqinfo.ini`, of which `frameRate`, `seqLength`, `imWidth` and `imHeight` are
    ///     read.
    init(detections: String, information: String) throws {
        for line in information.split(whereSeparator: \.isNewline) {
            let pair = line.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces() }
            guard pair.count == 2 else { continue }
            switch pair[0] {
            case "frameRate": frameRate = Double(pair[1]) ?? 0
            case "seqLength": length = Int(pair[1]) ?? 0
            case "imWidth": width = Int(pair[1]) ?? 0
            case "imHeight": height = Int(pair[1]) ?? 0
            default: break
            }
        }
        guard frameRate > 0, length > 0, width > 0, height > 0 else { throw MOTError.information }
        for (index, line) in detections.split(whereSeparator: \.isNewline).enumerated() {
            let fields = line.split(separator: ",").map { $0.trimmingSpaces() }
            guard fields.count >= 7, let frame = Int(fields[0]) else { throw MOTError.line(index + 1) }
            let numbers = fields[2..<7].compactMap { Float($0) }
            guard numbers.count == 5 else { throw MOTError.line(index + 1) }
            detectionsOfFrame[frame, default: []].append(
                Detection(
                    box: Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
                    confidence: numbers[4], content: .object(ObjectLabels())))
        }
    }

    /// The first frame that has a detection; 1 when none has.
    var firstFrame: Int { detectionsOfFrame.keys.min() ?? 1 }

    func detections(ofFrame number: Int) -> [Detection] { detectionsOfFrame[number] ?? [] }

    /// A frame as a source at the sequence's rate would give it.
    func frame(_ number: Int) -> FrameInfo {
        let time = Int64((Double(number) / frameRate * 1e9).rounded())
        return FrameInfo(
            sequence: UInt64(number), presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
            width: width, height: height)
    }
}

enum MOTError: Error, CustomStringConvertible {
    case information
    case line(Int)

    var description: String {
        switch self {
        case .information: "seqinfo.ini must give frameRate, seqLength, imWidth and imHeight"
        case .line(let number): "det.txt, line \(number): not frame,id,x,y,width,height,score"
        }
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
