// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

/// The newest best picture of each pipeline. Only the destination's thread uses it; a task fetches the pictures.
final class BestPictures {
    /// By the name of the pipeline.
    private(set) var newest: [String: [UInt8]] = [:]
    private var choice = PictureChoice()
    private let fetcher = PictureFetcher()
    private let task: Task<Void, Never>

    init(_ destination: Destination) {
        let fetcher = fetcher
        task = Task { await fetcher.run(destination) }
    }

    deinit { task.cancel() }

    func take(_ event: Event) {
        guard let file = choice.take(event), let pipeline = event.pipeline else { return }
        fetcher.want(file, of: pipeline)
    }

    /// - Returns: the pipelines with a new picture.
    func takeChanged() -> [String] {
        let fetched = fetcher.takeFetched()
        newest.merge(fetched) { $1 }
        return fetched.keys.sorted()
    }
}
