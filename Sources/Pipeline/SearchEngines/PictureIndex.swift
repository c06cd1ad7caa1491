// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// Reference pictures as vectors, for exact search by cosine. The index is immutable.
///
/// Each item has `turns` vectors, one for each indexed rotation. The similarity of an item is that of its most similar
/// vector.
package final class PictureIndex {
    package struct Item: Sendable, Equatable {
        /// The picture's path within the indexed folder.
        package var id: String
        package var title: String

        package init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }

    package struct Header: Sendable, Equatable {
        /// The catalogue name of the model that computed the vectors, and the SHA-256 of its file.
        package var model: String
        package var modelSHA256: String
        /// The folder of the pictures, for display.
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
        /// An index into the header's items.
        package var item: Int
        /// The cosine of the angle, -1...1.
        package var similarity: Float
    }

    package let header: Header
    /// Items times turns times dimensions values.
    let vectors: UnsafeBufferPointer<Float>
    private let storage: AnyObject

    /// - Parameter vectors: of length 1 each; the turns of an item are adjacent.
    package convenience init(_ header: Header, vectors: [Float]) {
        let kept = KeptVectors(vectors)
        self.init(header, vectors: UnsafeBufferPointer(kept.vectors), storage: kept)
    }

    /// - Parameter storage: owns the memory of `vectors`.
    init(_ header: Header, vectors: UnsafeBufferPointer<Float>, storage: AnyObject) {
        precondition(vectors.count == header.items.count * header.turns * header.dimensions, "one vector for each turn")
        self.header = header
        self.vectors = vectors
        self.storage = storage
    }

    /// The nearest items in descending order of similarity; the earlier item wins a tie.
    ///
    /// - Parameter query: a vector of length 1 with the index's dimensions.
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

/// The best matches among many, in order.
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
