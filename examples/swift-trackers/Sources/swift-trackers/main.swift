import GlimpseVision

/// Greets each face and each barcode that comes into view, and says goodbye to it. `swift-trackers FILE|DEVICE|rtsp://...`
final class Announcer: FeatureTracker {
    func detected(_ track: Track, in results: DetectionResults) { print("hello", track.id, track.kind) }
    func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) { print("bye", track.id) }
}

let source = try VideoSource.open(CommandLine.arguments.dropFirst().first ?? "test:")
let detector = MultiDetector([.face(minSize: 0.15), .barcode()]) { track, detector in Announcer() }
try await detector.run(source)
