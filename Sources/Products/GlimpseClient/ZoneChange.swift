// SPDX-License-Identifier: Apache-2.0
/// A track has entered a zone, is dwelling in it, or has left it.
public struct ZoneChange: Sendable, Hashable {
    /// The name of the zone.
    public let zone: String
    /// `entered`, `dwelling`, `left`.
    public let state: String
    /// The time in the zone; nil on entering, or if unknown.
    public let dwellMilliseconds: Int?
    /// The name of the detector.
    public let detector: String
    /// `face`, `barcode`, `object`, `scene`.
    public let kind: String
    /// The track's id.
    public let id: String
    /// The frame of the change.
    public let frame: TrackEvent.Frame
}

extension ZoneChange {
    private struct Track: Decodable {
        let id: String
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case zone, state, detector, kind, track, frame
        case dwellMilliseconds = "dwell_ms"
    }

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: CodingKeys.self)
        zone = try line.decode(String.self, forKey: .zone)
        state = try line.decode(String.self, forKey: .state)
        dwellMilliseconds = try line.decodeIfPresent(Int.self, forKey: .dwellMilliseconds)
        detector = try line.decode(String.self, forKey: .detector)
        kind = try line.decode(String.self, forKey: .kind)
        id = try line.decode(Track.self, forKey: .track).id
        frame = try line.decode(TrackEvent.Frame.self, forKey: .frame)
    }
}
