import Events
import Pictures
import Pipelines
import Settings

/// What may become of a pipeline's frames as pictures.
package enum PictureAccess: Sendable, Equatable {
    /// No frame is ever encoded.
    case none
    /// None is kept.
    case inMemory
    /// Kept in this folder, which is made in one that is there.
    case folder(String)
}

extension PipelineRun {
    /// What encodes and keeps pictures; nil: nothing does. What stands in the way is told.
    func pictureDesk(_ complain: @escaping @Sendable (String) -> Void) -> PictureDesk? {
        guard settings.keepsPictures, let snapshot = settings.snapshot else { return nil }
        switch pictures {
        case .none:
            complain("warning: [snapshot]: no picture is made here: daemon.no_images is true")
        case .inMemory:
            complain("warning: [snapshot]: no picture is kept: there is no folder for them; see --pictures")
        case .folder(let folder):
            do throws(PictureError) {
                let store = try PictureStore(
                    folder: folder, limits: PictureLimits(snapshot),
                    provisionalAge: snapshot.save == .accepted ? snapshot.acceptWithin : nil)
                return PictureDesk(store, complain: complain)
            } catch {
                complain("warning: [snapshot]: no picture is kept: \(error)")
            }
        }
        return nil
    }

    /// Has each lane's tracks pictured as `[snapshot]` says.
    func addPhotographers(to lanes: inout [LaneConfiguration], _ desk: PictureDesk) {
        guard let snapshot = settings.snapshot else { return }
        let rules = SnapshotRules(snapshot)
        let pipeline = PipelineIdentity(name: settings.name, tags: settings.tags)
        for index in lanes.indices {
            lanes[index].witness = LanePhotographer(
                rules, pipeline: pipeline, detector: lanes[index].detector.name, waits: delivery == .every, desk: desk)
        }
    }
}

extension PictureLimits {
    init(_ settings: SnapshotSettings) {
        self.init(age: settings.maxAge, count: settings.maxCount, bytes: settings.maxBytes)
    }
}

extension SnapshotRules {
    init(_ settings: SnapshotSettings) {
        self.init(
            rules: Set(settings.on.compactMap { SnapshotEvent.Rule(rawValue: $0.rawValue) }),
            kinds: settings.kinds.isEmpty ? nil : Set(settings.kinds),
            region: settings.region == .full ? .full : .crop(margin: settings.margin),
            maximumWidth: settings.maxWidth, quality: settings.quality, captioned: settings.caption,
            bestInterval: settings.bestInterval, minimumScore: Float(settings.minScore))
    }
}
