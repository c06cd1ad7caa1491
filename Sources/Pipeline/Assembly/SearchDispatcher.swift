// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations
import PictureEncoding
import PictureRelease
import Pictures
import Pipelines
import Search
import Synchronization

/// Makes the crop of a searched object, and asks the engine.
final class SearchDispatcher: SearchPerformer {
    /// The crop around an object's box. The surroundings help to recognize the object.
    private static let region = SnapshotRules.Region.crop(margin: 0.1)
    /// The size and quality of a phone's visual search. Source: Material showcase app, width 640, quality 100; quality
    /// 90 takes a third of the bytes.
    private static let form = PictureEncoder.Form(maximumWidth: 640, quality: 90)

    private let engine: (any SearchEngine)?
    private let pictures: PictureWriter?
    private let release: PictureRelease
    /// The id of the current search. A cancelled search is removed, so its late results are ignored.
    private let current = Mutex<String?>(nil)

    /// - Parameters:
    ///   - engine: nil if a subscriber answers.
    ///   - pictures: nil if no picture can be stored; engines that need one then fail.
    init(_ engine: (any SearchEngine)?, pictures: PictureWriter?, release: PictureRelease) {
        self.release = release
        self.engine = engine
        self.pictures = pictures
    }

    var answers: Bool { engine != nil }
    private var needsCrop: Bool { engine?.needsCrop ?? false }

    func begin(_ query: SearchQuery, in frame: Frame?, report: @escaping @Sendable (SearchReport) -> Void) {
        current.withLock { $0 = query.id }
        if !needsCrop || query.crop != nil { ask(query, report) }
        guard query.crop == nil else { return }
        guard let pictures, let frame, let view = Self.region.view(of: query.detection.box, in: frame),
            let held = release.hold(view)
        else { return cropped(query, nil, report) }
        release.release(held) { [self] released in
            guard case .success(let picture) = released else { return cropped(query, nil, report) }
            let isTaken = pictures.take(Self.job(query, picture)) { [self] result in
                cropped(query, try? result.get().path, report)
            }
            if !isTaken { cropped(query, nil, report) }
        }
    }

    func cancel(_ id: String) {
        current.withLock { if $0 == id { $0 = nil } }
        engine?.cancel(id)
    }

    private static func job(_ query: SearchQuery, _ picture: ReleasedPicture) -> PictureJob {
        let time = query.frame.time.rfc3339.filter { $0 != "-" && $0 != ":" }
        return PictureJob(
            picture: picture, form: form,
            place: .store(name: "\(time)-\(query.detector)-\(query.track)-search-\(query.id)")
        ) { picture in
            SearchMetadata.json(query, picture)
        }
    }

    private func cropped(_ query: SearchQuery, _ path: String?, _ report: @escaping @Sendable (SearchReport) -> Void) {
        guard current.withLock({ $0 == query.id }) else { return }
        if let path { report(.cropped(query: query.id, path: path)) }
        guard needsCrop else { return }
        guard let path else {
            let failure = SearchFailure(.crop, retryable: true, message: "cannot make the picture of the object")
            return report(.answered(query: query.id, .failed(failure)))
        }
        var query = query
        query.crop = path
        ask(query, report)
    }

    private func ask(_ query: SearchQuery, _ report: @escaping @Sendable (SearchReport) -> Void) {
        engine?.start(query) { report(.answered(query: query.id, $0)) }
    }
}
