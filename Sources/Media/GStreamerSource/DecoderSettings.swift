// SPDX-License-Identifier: Apache-2.0
import CGStreamer

/// Sets the properties of the software decoders that `decodebin` chooses.
///
/// Threads: libav's decoders take one for each processor by default. Each further thread holds a few more pictures (13
/// MB at 1280x720 on two processors). Where frames are decoded in parallel, it also delays every frame by one.
///
/// JPEG: `jpegdec` takes libjpeg's fast inverse transform by default. It makes all three planes darker by half a grey
/// level (a sample by up to 3), so blue and red are off by one. The exact transform takes 4 % more of jpegdec's time
/// (libjpeg-turbo 2.1).
enum DecoderSettings {
    /// Names of the property for the number of threads: libav's, libvpx's, dav1d's.
    private static let threadProperties = ["max-threads", "threads", "n-threads"]

    /// - Parameter threads: 0 leaves every decoder its own default.
    static func apply(to pipeline: Element, threads: Int) {
        AddedElements.watch(pipeline) { element in
            guard cgst_is_decoder(element) != 0 else { return }
            if cgst_has_property(element, "idct-method") != 0 { cgst_set(element, "idct-method", "islow") }
            guard threads > 0 else { return }
            for property in threadProperties where cgst_has_property(element, property) != 0 {
                cgst_set(element, property, String(threads))
            }
        }
    }
}
