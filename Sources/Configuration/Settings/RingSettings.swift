// SPDX-License-Identifier: Apache-2.0
/// The encoded video that a worker keeps in memory: `source.ring` and `source.ring_bytes`.
package struct RingSettings: Sendable, Equatable {
    /// How much of the newest video is kept. 0: only what waits to be decoded. 0...10 min.
    package var duration = Duration.zero
    /// The most memory for encoded frames. 1 MiB...1 GiB.
    package var bytes = 16 << 20
}
