// SPDX-License-Identifier: Apache-2.0
extension Array {
    /// Sorts in place and allocates nothing; the standard library's sort does from 32 elements on. Not stable.
    @inlinable package mutating func heapSort(by precedes: (Element, Element) -> Bool) {
        for start in stride(from: count / 2 - 1, through: 0, by: -1) { sift(start, count, precedes) }
        for end in stride(from: count - 1, to: 0, by: -1) {
            swapAt(0, end)
            sift(0, end, precedes)
        }
    }

    @inlinable package mutating func sift(_ start: Int, _ end: Int, _ precedes: (Element, Element) -> Bool) {
        var root = start
        while 2 * root + 1 < end {
            var child = 2 * root + 1
            if child + 1 < end, precedes(self[child], self[child + 1]) { child += 1 }
            guard precedes(self[root], self[child]) else { return }
            swapAt(root, child)
            root = child
        }
    }
}
