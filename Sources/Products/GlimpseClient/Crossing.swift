// SPDX-License-Identifier: Apache-2.0
/// A track has crossed a line.
public struct Crossing: Sendable, Hashable {
    /// The name of the line.
    public let line: String
    /// `in` (from the left to the right of somebody who walks along the line) or `out`.
    public let direction: String
    /// The crossings of the line since the run began; nil if they are unknown.
    public let totalIn: Int?
    /// The crossings in the other direction since the run began; nil if they are unknown.
    public let totalOut: Int?
    /// The name of the detector.
    public let detector: String
    /// The kind of feature, such as `object`.
    public let kind: String
    /// The track's id.
    public let id: String
    /// The frame in which the track has crossed.
    public let frame: TrackEvent.Frame
}

extension Crossing {
    private struct Track: Decodable {
        let id: String
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case line, direction, detector, kind, track, frame
        case totalIn = "in"
        case totalOut = "out"
    }

    init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        line = try form.decode(String.self, forKey: .line)
        direction = try form.decode(String.self, forKey: .direction)
        totalIn = try form.decodeIfPresent(Int.self, forKey: .totalIn)
        totalOut = try form.decodeIfPresent(Int.self, forKey: .totalOut)
        detector = try form.decode(String.self, forKey: .detector)
        kind = try form.decode(String.self, forKey: .kind)
        id = try form.decode(Track.self, forKey: .track).id
        frame = try form.decode(TrackEvent.Frame.self, forKey: .frame)
    }
}
