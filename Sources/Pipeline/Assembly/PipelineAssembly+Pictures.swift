// SPDX-License-Identifier: Apache-2.0
import EventLines
import Frames
import LaneSettings
import PictureRelease
import PictureStorage
import Pictures
import Pipelines
import Search
import SearchEngines
import Settings

/// The permitted use of a pipeline's frames as pictures.
package enum PictureAccess: Sendable, Equatable {
    /// No frame may be encoded.
    case none
    /// Pictures may be made, but none is stored.
    case inMemory
    /// Pictures are stored in this folder, which is created; its parent must exist.
    case folder(String)
}

extension PipelineAssembly {
    /// The store for pictures; nil if none are stored. Obstacles are reported to `complain`.
    func pictureStore(_ complain: @escaping @Sendable (String) -> Void) -> PictureStore? {
        guard settings.keepsPictures else { return nil }
        let snapshot = settings.snapshot ?? SnapshotSettings()
        // A subscriber's answer does not need a picture.
        let areNeeded = settings.snapshot?.enabled == true || settings.search?.asksWithPictures == true
        switch pictures {
        case _ where !settings.privacy.pictures:
            if areNeeded { complain("warning: no pictures are made: privacy.pictures is false") }
        case .none where areNeeded:
            complain("warning: no pictures are made: daemon.no_images is true")
        case .inMemory where areNeeded:
            complain("warning: no pictures are stored: no folder is set; see --pictures")
        case .none, .inMemory: break
        case .folder(let folder):
            do throws(PictureError) {
                return try PictureStore(
                    folder: folder, limits: PictureLimits(snapshot, retention),
                    provisionalAge: snapshot.save == .accepted ? snapshot.acceptWithin : nil)
            } catch {
                complain("warning: no pictures are stored: \(error)")
            }
        }
        return nil
    }

    /// Adds the taking of track pictures to each lane, as `[snapshot]` specifies.
    func addPhotographers(to lanes: inout [LaneConfiguration], _ writer: PictureWriter) {
        guard let snapshot = settings.snapshot, snapshot.enabled else { return }
        let rules = SnapshotRules(snapshot)
        let pipeline = PipelineIdentity(name: settings.name, tags: settings.tags)
        for index in lanes.indices {
            lanes[index].observer = LanePhotographer(
                rules, pipeline: pipeline, detector: lanes[index].detector.name, writer: writer,
                release: release)
        }
    }
}

extension PipelineAssembly {
    /// Adds crops and the engine to the lane of the search.
    func addSearchDispatcher(to lanes: inout [LaneConfiguration], _ writer: PictureWriter?) {
        guard let search = settings.search, search.enabled, let plan = settings.searchPlan,
            let index = lanes.firstIndex(where: { $0.detector.name == plan.detector })
        else { return }
        lanes[index].searchPerformer = SearchDispatcher(engine(search), pictures: writer, release: release)
    }

    /// nil if a subscriber answers, or if the searched object needs no answer.
    private func engine(_ search: SearchSettings) -> (any SearchEngine)? {
        if let classifier = search.classifier {
            return SearchRunner(classifier, models: resources.models, timeout: search.timeout)
        }
        if let index = search.index {
            return SearchRunner(index, models: resources.models, timeout: search.timeout)
        }
        guard let http = search.http else { return nil }
        return SearchRunner(
            http, barcodes: settings.barcodeReporting, timeout: search.timeout,
            token: http.token.map(Self.token))
    }

    private static func token(_ source: PasswordSource) -> @Sendable () throws(SearchFailure) -> String {
        { () throws(SearchFailure) -> String in
            do throws(SourceError) {
                return try source.password("token", of: "the search server")
            } catch {
                throw SearchFailure(.engine, retryable: true, message: error.description)
            }
        }
    }
}

extension SearchSettings {
    fileprivate var asksWithPictures: Bool { enabled && (classifier != nil || index != nil || http != nil) }
}

extension PictureLimits {
    init(_ settings: SnapshotSettings, _ retention: RetentionSettings.Limits<Int>) {
        let limits = settings.limits(retention)
        self.init(age: limits.age, count: settings.maxCount, bytes: limits.size)
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
