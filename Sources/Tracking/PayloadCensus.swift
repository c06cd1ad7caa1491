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
        guard case .barcode(let barcode) = detection.content else { return nil }
        return Payload(format: barcode.format, bytes: barcode.bytes)
    }
}

extension Detection {
    /// What thresholds compare with: a decoded symbol has no confidence and needs none.
    var score: Float { confidence ?? 1 }

    var hasPayload: Bool {
        if case .barcode = content { true } else { false }
    }

    /// Two symbols in one place with different payloads are two things.
    func contradicts(_ other: Detection) -> Bool {
        guard case .barcode(let mine) = content, case .barcode(let theirs) = other.content else { return false }
        return !mine.saysTheSame(as: theirs)
    }
}
