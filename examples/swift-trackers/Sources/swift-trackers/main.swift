// SPDX-License-Identifier: Apache-2.0
import GlimpseVision

/// Greets each face and each barcode that comes into view, and says goodbye to it.
final class Announcer: FeatureTracker {
    func detected(_ track: Track, in results: DetectionResults) { print("hello", track.id, track.kind) }
    func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) { print("bye", track.id) }
}

let source = try VideoSource.open(CommandLine.arguments[1])
let detector = MultiDetector([.face(minSize: 0.15), .barcode()]) { track, detector in Announcer() }
try await detector.run(source)
