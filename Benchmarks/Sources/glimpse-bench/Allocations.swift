import CAllocations

/// Heap allocations of this process.
enum Allocations {
    static var count: Int { Int(allocations_count()) }
}
