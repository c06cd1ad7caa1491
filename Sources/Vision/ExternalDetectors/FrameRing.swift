// SPDX-License-Identifier: Apache-2.0
import CProgramHost
import Detectors

#if canImport(Glibc)
    import Glibc
#endif

/// Memory that this process writes and a program reads.
final class FrameRing {
    let layout: RingLayout
    /// Another process can only map it for reading, and nobody can change its size.
    let descriptor: CInt
    private let memory: UnsafeMutableRawPointer

    init(_ layout: RingLayout) throws(DetectorError) {
        var (descriptor, memory) = (CInt(-1), UnsafeMutableRawPointer?.none)
        let error = glimpse_ring_make(layout.bytes, &descriptor, &memory)
        guard error == 0, let memory else {
            throw DetectorError("no memory for its frames: \(String(cString: strerror(error)))")
        }
        (self.layout, self.descriptor, self.memory) = (layout, descriptor, memory)
    }

    deinit {
        munmap(memory, layout.bytes)
        close(descriptor)
    }

    func slot(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        (memory + index * layout.slotBytes).assumingMemoryBound(to: UInt8.self)
    }
}
