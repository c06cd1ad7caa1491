// SPDX-License-Identifier: Apache-2.0
import CAllocations

/// Heap allocations of this process.
enum Allocations {
    static var count: Int { Int(allocations_count()) }
}
