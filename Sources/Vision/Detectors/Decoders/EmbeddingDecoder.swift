// SPDX-License-Identifier: Apache-2.0
/// A network's output as a vector of length 1: the product of two is the cosine of the angle between them.
package struct EmbeddingDecoder: Sendable {
    package let dimensions: Int

    /// - Parameter outputs: one of any shape.
    package init(outputs: [TensorDescription]) throws(DetectorError) {
        guard outputs.count == 1, let count = outputs[0].shape.count, count > 0 else {
            throw unlike("embedding", outputs, expected: "one [1, dimensions]")
        }
        dimensions = count
    }

    /// Replaces `vector`. Throws when the values have no direction: all of them 0, or one that is not finite.
    package func decode(_ tensors: [Tensor], into vector: inout [Float]) throws(DetectorError) {
        guard let values = tensors.first?.values, values.count == dimensions else {
            throw DetectorError("the network gave \(tensors.first?.values.count ?? 0) values, not \(dimensions)")
        }
        // In double, where no square of a float is infinite.
        let length = values.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
        guard length.isFinite, length > 0 else { throw DetectorError("the network's vector has no direction") }
        vector.removeAll(keepingCapacity: true)
        for value in values { vector.append(Float(Double(value) / length)) }
    }
}
