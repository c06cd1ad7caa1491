#if canImport(Glibc)
    import Glibc
#endif

/// Reference pictures as vectors, for exact search by cosine. Immutable.
///
/// Each item has `turns` vectors, one for each way up that it was indexed in; an item is as near as its nearest one.
package final class PictureIndex {
    package struct Item: Sendable, Equatable {
        /// The picture's path within the folder that was indexed.
        package var id: String
        package var title: String

        package init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }

    package struct Header: Sendable, Equatable {
        /// The catalogue's name of the model that made the vectors, and what its file's SHA-256 was.
        package var model: String
        package var modelSHA256: String
        /// Folder of the pictures, for showing them.
        package var folder: String
        package var dimensions: Int
        package var turns: Int
        package var items: [Item]

        package init(
            model: String, modelSHA256: String, folder: String, dimensions: Int, turns: Int, items: [Item]
        ) {
            self.model = model
            self.modelSHA256 = modelSHA256
            self.folder = folder
            self.dimensions = dimensions
            self.turns = turns
            self.items = items
        }
    }

    package struct Match: Sendable, Equatable {
        /// Of the header's items.
        package var item: Int
        /// Cosine of the angle, -1...1.
        package var similarity: Float
    }

    package let header: Header
    /// Items times turns times dimensions.
    let vectors: UnsafeBufferPointer<Float>
    private let storage: AnyObject

    /// - Parameter vectors: of length 1 each, an item's turns one after the other.
    package convenience init(_ header: Header, vectors: [Float]) {
        let kept = KeptVectors(vectors)
        self.init(header, vectors: UnsafeBufferPointer(kept.vectors), storage: kept)
    }

    /// - Parameter storage: owns what `vectors` is in.
    init(_ header: Header, vectors: UnsafeBufferPointer<Float>, storage: AnyObject) {
        precondition(vectors.count == header.items.count * header.turns * header.dimensions, "one vector for each turn")
        self.header = header
        self.vectors = vectors
        self.storage = storage
    }

    /// The nearest items, nearest first; ties fall to the earlier one.
    ///
    /// - Parameter query: of length 1 and the index's dimensions.
    package func nearest(to query: [Float], limit: Int) -> [Match] {
        precondition(query.count == header.dimensions, "the vector has \(query.count) dimensions")
        var best = NearestMatches(limit: limit)
        guard let base = vectors.baseAddress else { return [] }
        query.withUnsafeBufferPointer { query in
            guard let query = query.baseAddress else { return }
            for item in header.items.indices {
                var similarity = -Float.infinity
                for turn in 0..<header.turns {
                    let vector = base + (item * header.turns + turn) * header.dimensions
                    similarity = max(similarity, InnerProduct.of(query, vector, header.dimensions))
                }
                best.offer(Match(item: item, similarity: similarity))
            }
        }
        return best.matches
    }
}

/// The best few of many, in order.
struct NearestMatches {
    private let limit: Int
    private(set) var matches: [PictureIndex.Match] = []

    init(limit: Int) { self.limit = limit }

    mutating func offer(_ match: PictureIndex.Match) {
        if matches.count == limit, let last = matches.last, match.similarity <= last.similarity { return }
        if matches.count == limit { matches.removeLast() }
        let place = matches.firstIndex { $0.similarity < match.similarity } ?? matches.endIndex
        matches.insert(match, at: place)
    }
}

private final class KeptVectors {
    let vectors: UnsafeMutableBufferPointer<Float>

    init(_ values: [Float]) {
        vectors = .allocate(capacity: values.count)
        _ = vectors.initialize(fromContentsOf: values)
    }

    deinit { vectors.deallocate() }
}
