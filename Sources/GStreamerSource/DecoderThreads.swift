import CGStreamer

/// Bounds the threads of the software decoders that `decodebin` will choose.
///
/// libav's decoders take a thread for each processor by default. Each one more holds a few more pictures (13 MB at 1280x720 on two
/// processors) and, where frames are decoded in parallel, delays every frame by one.
enum DecoderThreads {
    /// What decoders call the setting: libav's, libvpx's, dav1d's.
    private static let properties = ["max-threads", "threads", "n-threads"]

    /// - Parameter count: 0 leaves every decoder its own default.
    static func limit(_ pipeline: Element, to count: Int) {
        guard count > 0 else { return }
        cgst_connect_element_added(
            pipeline,
            { _, _, element, data in
                guard let element, cgst_is_decoder(element) != 0 else { return }
                for property in DecoderThreads.properties where cgst_has_property(element, property) != 0 {
                    cgst_set(element, property, String(UInt(bitPattern: data)))
                }
            }, UnsafeMutableRawPointer(bitPattern: count))
    }
}
