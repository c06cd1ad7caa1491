// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The members of a line that the rules of the stream examine. The line matches the schema.
struct CheckedLine: Decodable {
    struct Track: Decodable {
        var id: String

        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: FieldName.self).decode(String.self, forKey: .id)
        }
    }

    struct Frame: Decodable {
        var epoch: UInt64
        var seq: UInt64

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: FieldName.self)
            epoch = try members.decode(UInt64.self, forKey: .epoch)
            seq = try members.decode(UInt64.self, forKey: .sequence)
        }
    }

    struct LiveTrack: Decodable {
        var pipeline: String
        var detector: String
        var track: Track

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: FieldName.self)
            pipeline = try members.decode(String.self, forKey: .pipeline)
            detector = try members.decode(String.self, forKey: .detector)
            track = try members.decode(Track.self, forKey: .track)
        }
    }

    var type: String
    var seq: UInt64?
    var runID: String?
    var pipeline: String?
    var detector: String?
    var reason: String?
    var track: Track?
    var frame: Frame?
    var coalesced: UInt64?
    var nextSequence: UInt64?
    var asOf: UInt64?
    var tracks: [LiveTrack]?
    var from: UInt64?
    var to: UInt64?
    var zone: String?
    var state: String?
    var dwell: UInt64?
    var line: String?
    var direction: String?
    /// The crossings in and out.
    var totals: (UInt64, UInt64)?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: FieldName.self)
        type = (try? members.decode(String.self, forKey: .type)) ?? ""
        try StreamSchema.members(ofType: type).check(decoder)
        seq = try members.decodeIfPresent(UInt64.self, forKey: .sequence)
        runID = try members.decodeIfPresent(String.self, forKey: .runID)
        // The other members of an unknown type may be anything.
        guard StreamSchema.lines[type] != nil else { return }
        pipeline = try members.decodeIfPresent(String.self, forKey: .pipeline)
        if let step = LifeCycleGrammar.Step(rawValue: type) {
            detector = try members.decodeIfPresent(String.self, forKey: .detector)
            track = try members.decodeIfPresent(Track.self, forKey: .track)
            frame = try members.decodeIfPresent(Frame.self, forKey: .frame)
            if step == .completed { reason = try members.decodeIfPresent(String.self, forKey: .reason) }
            if step == .update || step == .missing {
                coalesced = try members.decodeIfPresent(UInt64.self, forKey: .coalesced)
            }
        }
        switch EncodedEvent.Kind(name: type) {
        case .frame:
            detector = try members.decode(String.self, forKey: .detector)
            frame = try members.decode(Frame.self, forKey: .frame)
        case .zone:
            detector = try members.decode(String.self, forKey: .detector)
            track = try members.decode(Track.self, forKey: .track)
            zone = try members.decode(String.self, forKey: .zone)
            state = try members.decode(String.self, forKey: .state)
            dwell = try members.decodeIfPresent(UInt64.self, forKey: .dwell)
        case .line:
            line = try members.decode(String.self, forKey: .line)
            direction = try members.decode(String.self, forKey: .direction)
            if let crossedIn = try members.decodeIfPresent(UInt64.self, forKey: .crossedIn) {
                totals = (crossedIn, try members.decode(UInt64.self, forKey: .crossedOut))
            }
        default: break
        }
        switch ConnectionLineType(rawValue: type) {
        case .hello: nextSequence = try members.decode(UInt64.self, forKey: .nextSequence)
        case .state:
            asOf = try members.decode(UInt64.self, forKey: .asOf)
            tracks = try members.decode([LiveTrack].self, forKey: .tracks)
        case .gap:
            reason = try members.decode(String.self, forKey: .reason)
            from = try members.decodeIfPresent(UInt64.self, forKey: .from)
            to = try members.decodeIfPresent(UInt64.self, forKey: .to)
        default: break
        }
    }

    /// - Throws: `Violation.Problem`.
    init(_ bytes: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(CheckedLine.self, from: Data(bytes))
        } catch let mismatch as ShapeMismatch {
            throw Violation.Problem("\(mismatch.path.isEmpty ? "the line" : mismatch.path) \(mismatch.problem)")
        } catch {
            throw Violation.Problem("not a JSON object in UTF-8")
        }
    }
}
