// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Synchronization

/// Counts the ticks of an event loop.
///
/// In a tick, NIO examines its sockets once. Then it runs all due tasks, with those that become due meanwhile.
package final class LoopTicks: NIOEventLoopMetricsDelegate {
    private let count = Atomic<UInt64>(0)

    package init() {}

    package func processedTick(info: NIOEventLoopTickInfo) { count.wrappingAdd(1, ordering: .relaxed) }

    /// The number of ticks that have ended.
    var ended: UInt64 { count.load(ordering: .relaxed) }
}
