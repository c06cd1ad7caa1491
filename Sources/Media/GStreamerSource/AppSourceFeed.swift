// SPDX-License-Identifier: Apache-2.0
import CGStreamer

/// Fills an appsrc from a function of ours.
enum AppSourceFeed {
    typealias Target = UnsafeMutablePointer<GstAppSrc>

    private final class Filler {
        let fill: (Target) -> Void

        init(_ fill: @escaping (Target) -> Void) {
            self.fill = fill
        }
    }

    /// - Parameter fill: called whenever the appsrc has room, on the appsrc's own thread; it pushes one buffer or the
    ///   end. It is kept as long as the element lives.
    static func attach(_ source: Element, fill: @escaping (Target) -> Void) {
        var callbacks = GstAppSrcCallbacks()
        callbacks.need_data = { source, _, data in
            guard let source, let data else { return }
            Unmanaged<Filler>.fromOpaque(data).takeUnretainedValue().fill(source)
        }
        gst_app_src_set_callbacks(
            cgst_app_src(source), &callbacks, Unmanaged.passRetained(Filler(fill)).toOpaque()
        ) { data in
            data.map { Unmanaged<Filler>.fromOpaque($0).release() }
        }
    }
}
