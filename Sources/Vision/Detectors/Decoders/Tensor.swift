// SPDX-License-Identifier: Apache-2.0
/// One output of a network: row-major values, borrowed until the network runs again.
package struct Tensor {
    package let values: UnsafeBufferPointer<Float>
    package let shape: TensorShape

    package init(_ values: UnsafeBufferPointer<Float>, _ shape: TensorShape) {
        self.values = values
        self.shape = shape
    }
}

/// A network's description of an output before it has run.
package struct TensorDescription: Sendable, Equatable {
    /// Empty when it has none.
    package let name: String
    package let shape: TensorShape

    package init(name: String, shape: TensorShape) {
        self.name = name
        self.shape = shape
    }
}

/// The sizes of a tensor's dimensions, outermost first; nil where it is not known yet. At most eight of them; kept in
/// place, so that asking for them allocates nothing.
package struct TensorShape: Sendable, Equatable, ExpressibleByArrayLiteral, CustomStringConvertible {
    package static let maximumRank = 8
    package private(set) var rank = 0
    private var sizes = SIMD8<Int>(repeating: 0)

    /// - Parameter size: of each dimension. Not a sequence: read through one, a shape allocated 21 times.
    package init(rank: Int, size: (Int) -> Int?) {
        self.rank = min(rank, Self.maximumRank)
        for index in 0..<self.rank { sizes[index] = size(index) ?? -1 }
    }

    package init(arrayLiteral dimensions: Int?...) {
        self.init(rank: dimensions.count) { dimensions[$0] }
    }

    package subscript(_ index: Int) -> Int? {
        index < rank && sizes[index] >= 0 ? sizes[index] : nil
    }

    /// How many values there are; nil while a dimension is not known, or when there are more than can be counted.
    package var count: Int? {
        var product = 1
        for index in 0..<rank {
            guard let size = self[index] else { return nil }
            let (result, overflow) = product.multipliedReportingOverflow(by: size)
            guard !overflow else { return nil }
            product = result
        }
        return product
    }

    /// Whether a tensor of this shape may be one of `expected`, where nil stands for any size.
    package func matches(_ expected: TensorShape) -> Bool {
        rank == expected.rank
            && (0..<rank).allSatisfy { self[$0] == nil || expected[$0] == nil || self[$0] == expected[$0] }
    }

    package var description: String {
        "[\((0..<rank).map { self[$0].map(String.init) ?? "?" }.joined(separator: ", "))]"
    }
}
