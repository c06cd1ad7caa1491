// SPDX-License-Identifier: Apache-2.0
import Installation
import Search

/// Finds the reference pictures most similar to the object.
final class IndexSearch: BlockingSearch {
    private let path: String
    private let models: ModelLibrary
    private let limit: Int
    private let (device, threads): (String, Int)
    /// Loaded at the first search, so that an unused session costs no memory.
    private var loaded: (index: PictureIndex, embedder: PictureEmbedder)?

    let needsCrop = true

    init(path: String, models: ModelLibrary, limit: Int, device: String, threads: Int) {
        self.path = path
        self.models = models
        self.limit = limit
        (self.device, self.threads) = (device, threads)
    }

    func answer(_ query: SearchQuery, _ cancellation: SearchCancellation) -> SearchAnswer {
        guard let crop = query.crop else {
            return .failed(SearchFailure(.crop, retryable: true, message: "no picture of the object"))
        }
        do throws(PictureIndexError) {
            let (index, embedder) = try load()
            let vector = try embedder.embed(file: crop)
            return .results(index.nearest(to: vector, limit: limit).map { result($0, index.header) })
        } catch {
            return .failed(SearchFailure(.engine, retryable: false, message: error.description))
        }
    }

    private func result(_ match: PictureIndex.Match, _ header: PictureIndex.Header) -> SearchResult {
        let item = header.items[match.item]
        let picture = "\(header.folder)/\(item.id)"
        return SearchResult(
            id: item.id, title: item.title, confidence: min(1, max(0, match.similarity)),
            picture: picture.utf8.count <= SearchLimits.pictureBytes ? picture : nil)
    }

    private func load() throws(PictureIndexError) -> (index: PictureIndex, embedder: PictureEmbedder) {
        if let loaded { return loaded }
        let index = try PictureIndexFile.read(path)
        let embedder = try PictureEmbedder(
            model: index.header.model, models: models, device: device, threads: threads)
        guard embedder.sha256 == index.header.modelSHA256, embedder.dimensions == index.header.dimensions else {
            throw PictureIndexError(
                "\(path): the index was built with another version of \(index.header.model); run: glimpsed index build")
        }
        loaded = (index, embedder)
        return (index, embedder)
    }
}
