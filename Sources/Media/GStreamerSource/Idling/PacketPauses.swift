// SPDX-License-Identifier: Apache-2.0
import CGStreamer
#if canImport(Glibc)
    import Glibc
#endif
import Synchronization

/// Takes the packets of a network camera at rest in batches, so that they wake the threads of the stream seldom.
///
/// Packets that come over TCP wait in the socket, and none is lost. The thread that reads them pauses, and then reads
/// all that came. The thread behind the jitter buffer pauses for a moment too. Otherwise both would take turns, packet
/// by packet. A frame reaches the decoder a fifth of a second later, and only while the camera idles and nobody watches
/// its video.
struct PacketPauses {
    /// In nanoseconds.
    private static let reading: Int64 = 200_000_000
    private static let taking: Int64 = 5_000_000
    /// Packets that come within this time after a pause were waiting. In nanoseconds.
    private static let burst: Int64 = 10_000_000

    private let length: Int64
    private var burstEnd: Int64 = 0

    /// - Parameter length: of a pause, in nanoseconds.
    init(length: Int64) {
        self.length = length
    }

    /// Whether to pause before a packet.
    ///
    /// - Parameter now: any clock that counts up, in nanoseconds.
    mutating func pausesBeforePacket(at now: Int64, isResting: () -> Bool) -> Bool {
        guard now > burstEnd, isResting() else { return false }
        burstEnd = now + length + Self.burst
        return true
    }

    /// Watches each jitter buffer: one thread reads the socket and gives it the packets, another takes them.
    static func make(in pipeline: Element, _ store: EncodedStore) {
        AddedElements.watch(pipeline, type: "rtpjitterbuffer") {
            Self(length: reading).watch($0, "sink", store)
            Self(length: taking).watch($0, "src", store)
        }
    }

    private func watch(_ jitterBuffer: Element, _ pad: String, _ store: EncodedStore) {
        let length = length
        let pauses = Mutex(self)
        PadProbe.watch(jitterBuffer, pad, GST_PAD_PROBE_TYPE_BUFFER) { _ in
            guard pauses.withLock({ $0.pausesBeforePacket(at: Self.now) { store.isResting } }) else { return }
            var pause = timespec(tv_sec: 0, tv_nsec: Int(length))
            nanosleep(&pause, nil)
        }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
