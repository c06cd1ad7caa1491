// SPDX-License-Identifier: Apache-2.0
import Detectors
import Synchronization

/// The process's compiled graphs, each made once and kept as long as a lane uses it. Lanes that want the same one wait
/// for whoever is compiling it; others do not.
enum GraphRegistry {
    /// A key's place. It exists while somebody compiles, waits or holds the graph, and takes itself out of the table.
    final class Slot: Sendable {
        private let key: CompiledGraph.Key
        fileprivate let graph = Mutex(Weak<CompiledGraph>())

        fileprivate init(_ key: CompiledGraph.Key) { self.key = key }

        deinit {
            // Given out of the lock: if it is the last reference to a newer slot, that slot's deinit takes the lock.
            _ = GraphRegistry.slots.withLock { slots -> Slot? in
                let newer = slots[key]?.object
                if newer == nil { slots[key] = nil }
                return newer
            }
        }
    }

    fileprivate struct Weak<Object: AnyObject & Sendable>: Sendable {
        weak var object: Object?
    }

    private static let slots = Mutex<[CompiledGraph.Key: Weak<Slot>]>([:])

    /// How many graphs there are or are being made.
    static var count: Int { slots.withLock { $0.count } }

    /// The graph for `key`. The first call for a key compiles the result of `network`.
    static func graph(for key: CompiledGraph.Key, network: () throws(DetectorError) -> Network) throws(DetectorError)
        -> CompiledGraph
    {
        let slot = slots.withLock { slots in
            if let slot = slots[key]?.object { return slot }
            let slot = Slot(key)
            slots[key] = Weak(object: slot)
            return slot
        }
        return try slot.graph.withLock { graph throws(DetectorError) in
            if let known = graph.object { return known }
            let made = try CompiledGraph(key, network: try network(), slot: slot)
            graph.object = made
            return made
        }
    }
}
