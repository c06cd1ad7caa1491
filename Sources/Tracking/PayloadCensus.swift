import Observations

/// Which payloads stand once among a frame's detections and at most once among the live tracks: only those are an identity.
struct PayloadCensus {
    private var counts: [Payload: (seen: Int, known: Int)] = [:]

    private struct Payload: Hashable {
        var format: Barcode.Format
        var bytes: [UInt8]
    }

    init(candidates: [Detection], features: [FollowedFeature]) {
        for candidate in candidates {
            if let payload = Self.payload(candidate) { counts[payload, default: (0, 0)].seen += 1 }
        }
        guard !counts.isEmpty else { return }
        for feature in features {
            if let payload = Self.payload(feature.detection) { counts[payload, default: (0, 0)].known += 1 }
        }
    }

    func contains(_ detection: Detection) -> Bool {
        guard let payload = Self.payload(detection), let count = counts[payload] else { return false }
        return count.seen == 1 && count.known <= 1
    }

    private static func payload(_ detection: Detection) -> Payload? {
        guard case .barcode(let barcode) = detection.content, barcode.isRead else { return nil }
        return Payload(format: barcode.format, bytes: barcode.bytes)
    }
}
