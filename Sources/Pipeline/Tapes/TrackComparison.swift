// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Observations
import Pipelines

/// Runs a tape through two sets of plans in parallel and compares the tracks. Memory grows with the number of tracks,
/// not of frames.
///
/// Ids differ between the sides, so tracks are matched by shared detections. Pairs with the most shared frames are
/// matched first, and each track at most once.
package struct TrackComparison {
    private struct Side {
        let diary: TrackDiary
        var lanes: [String: ReplayedLane] = [:]

        init(_ plans: [LanePlan], _ followsReloads: Bool, _ barcodes: BarcodeReporting) {
            diary = TrackDiary(barcodes)
            for plan in plans { lanes[plan.detector] = ReplayedLane(plan, followsReloads, outlet: diary) }
        }
    }

    private struct Pair: Hashable {
        var detector: String
        var a: TrackID
        var b: TrackID
    }

    private let names: [String]
    private var (a, b): (Side, Side)
    private var shared: [Pair: Int] = [:]

    /// - Parameter followsReloads: as for `Replay`.
    package init(
        _ header: TapeHeader, a: [LanePlan], b: [LanePlan], followsReloads: (a: Bool, b: Bool) = (true, true),
        barcodes: (a: BarcodeReporting, b: BarcodeReporting) = (BarcodeReporting(), BarcodeReporting())
    ) {
        names = header.lanes
        self.a = Side(a, followsReloads.a, barcodes.a)
        self.b = Side(b, followsReloads.b, barcodes.b)
    }

    package mutating func take(_ record: TapeRecord) {
        guard case .lane(let lane, let input, _) = record else { return }
        let detector = names[lane]
        a.lanes[detector]?.take(input)
        b.lanes[detector]?.take(input)
        let (left, right) = (a.diary.takeCarried(), b.diary.takeCarried())
        for (box, id) in left {
            if let other = right[box] { shared[Pair(detector: detector, a: id, b: other), default: 0] += 1 }
        }
    }

    /// The tracks of both sides, matched ones first; each group is sorted by detector and id.
    package var differences: [TrackDifference] {
        let (left, right) = (a.diary.lives, b.diary.lives)
        let pairs = shared.sorted { one, other in
            one.value != other.value
                ? one.value > other.value
                : (one.key.detector, one.key.a, one.key.b) < (other.key.detector, other.key.a, other.key.b)
        }
        var partners: [TrackDiary.Key: TrackDiary.Key] = [:]
        var taken: Set<TrackDiary.Key> = []
        /// The track of the other side that shares the most frames with a track.
        var kin: (a: [TrackDiary.Key: TrackDifference.Kin], b: [TrackDiary.Key: TrackDifference.Kin]) = ([:], [:])
        for (pair, frames) in pairs {
            let key = (
                a: TrackDiary.Key(detector: pair.detector, id: pair.a),
                b: TrackDiary.Key(detector: pair.detector, id: pair.b)
            )
            if kin.a[key.a] == nil { kin.a[key.a] = .init(id: pair.b, frames: frames) }
            if kin.b[key.b] == nil { kin.b[key.b] = .init(id: pair.a, frames: frames) }
            guard partners[key.a] == nil, !taken.contains(key.b) else { continue }
            partners[key.a] = key.b
            taken.insert(key.b)
        }
        var matched: [TrackDifference] = []
        var (onlyA, onlyB): ([TrackDifference], [TrackDifference]) = ([], [])
        for (key, life) in left.sorted(by: { $0.key < $1.key }) {
            if let other = partners[key].flatMap({ right[$0] }) {
                matched.append(.both(life, other))
            } else {
                onlyA.append(.onlyA(life, kin: kin.a[key]))
            }
        }
        for (key, life) in right.sorted(by: { $0.key < $1.key }) where !taken.contains(key) {
            onlyB.append(.onlyB(life, kin: kin.b[key]))
        }
        return matched + onlyA + onlyB
    }
}

/// A track of one side, or a matched pair.
package enum TrackDifference: Sendable, Equatable {
    /// The other side's track that shares the most frames with an unmatched track, although it is matched to another
    /// one.
    package struct Kin: Sendable, Equatable {
        package var id: TrackID
        package var frames: Int
    }

    case both(TrackLife, TrackLife)
    case onlyA(TrackLife, kin: Kin?)
    case onlyB(TrackLife, kin: Kin?)

    /// The properties in which a matched pair differs; ids are not compared.
    package enum Change: String, Sendable, CaseIterable {
        case detected, last, frames, reason, label
    }

    /// Empty for a pair without differences, and for a track of one side only.
    package var changes: [Change] {
        guard case .both(let a, let b) = self else { return [] }
        return Change.allCases.filter { change in
            switch change {
            case .detected: a.detectedAt != b.detectedAt
            case .last: a.lastAt != b.lastAt
            case .frames: a.frames != b.frames
            case .reason: a.reason != b.reason
            case .label: a.label != b.label
            }
        }
    }
}
