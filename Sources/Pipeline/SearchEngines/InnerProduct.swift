/// The one thing that searching an index costs.
enum InnerProduct {
    /// Sixteen sums side by side, so that the compiler has independent chains for whatever registers there are. Multiplied and then added: a fused
    /// multiply-add that the least processor of an architecture does not have is a call of the library for each element (11 times the time on x86-64).
    @inline(__always)
    static func of(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
        var sums = SIMD16<Float>()
        let (left, right) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
        var index = 0
        while index + 16 <= count {
            let offset = index * MemoryLayout<Float>.stride
            sums +=
                left.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self)
                * right.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self)
            index += 16
        }
        var sum = sums.sum()
        while index < count {
            sum += a[index] * b[index]
            index += 1
        }
        return sum
    }
}
