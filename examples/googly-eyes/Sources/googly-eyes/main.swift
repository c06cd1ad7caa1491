// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseVision

/// Draws googly eyes on every face of a film. `googly-eyes FILM OUTPUT.mp4`
do {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { throw SourceError(.misconfigured, "usage: googly-eyes FILM OUTPUT.mp4") }
    let faces = LaneConfiguration.face(minSize: 0.04, isAccurate: true, classification: true, confidence: 0.85)
    let detector = MultiDetector([faces], delivery: .every) { _, _ in GooglyFace() }
    try detector.waitUntilOperational()
    let source = try VideoSource.open(arguments[1]).makeSource()
    try source.start()
    var film: Film?
    reading: while true {
        switch source.next(timeout: .seconds(1)) {
        case .frame(let frame):
            canvas.withLock { $0 = Picture(frame) }
            // With `.every` all faces of the frame have been drawn when this returns.
            detector.receive(frame)
            film = try film ?? Film(arguments[2], frame.width, frame.height)
            try film?.append(canvas.withLock(\.bytes), at: frame.info.seconds)
        case .nothing: continue
        case .ended: break reading
        case .failed(let error): throw error
        }
    }
    try film?.finish()
} catch {
    FileHandle.standardError.write(Data("googly-eyes: \(error)\n".utf8))
    exit(1)
}
