// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames

package typealias Element = UnsafeMutablePointer<GstElement>

/// Owns a GStreamer pipeline and, through it, every element that it makes: elements live exactly as long as this
/// object.
package final class MediaPipeline {
    let element: Element
    private let bus: UnsafeMutablePointer<GstBus>

    package init() throws(SourceError) {
        guard let element = gst_pipeline_new(nil), let bus = gst_element_get_bus(element) else {
            throw SourceError(.failed, "GStreamer cannot make a pipeline")
        }
        self.element = element
        self.bus = bus
        cgst_bus_keep_failures(bus)
    }

    deinit {
        stop()
        cgst_unref(bus)
        cgst_unref(element)
    }

    /// Makes an element of the pipeline.
    package func add(_ factory: String) throws(SourceError) -> Element {
        guard let element = gst_element_factory_make(factory, nil) else {
            throw SourceError(
                .notInstalled, "GStreamer has no element \"\(factory)\"; \(DebianPackage.advice(forElement: factory))")
        }
        return add(element)
    }

    /// Takes over an element that nobody owns yet.
    @discardableResult
    func add(_ orphan: Element) -> Element {
        gst_bin_add(cgst_bin(element), orphan)
        return orphan
    }

    package func addCapsFilter(_ caps: String) throws(SourceError) -> Element {
        let filter = try add("capsfilter")
        cgst_set(filter, "caps", caps)
        return filter
    }

    /// Whether the start did not fail at once.
    package func play() -> Bool { gst_element_set_state(element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE }

    /// Ends the flow and waits for the pipeline's threads.
    package func stop() { gst_element_set_state(element, GST_STATE_NULL) }

    /// In nanoseconds; nil while it has no clock.
    var runningTime: Int64? {
        guard let clock = gst_element_get_clock(element) else { return nil }
        defer { cgst_unref(clock) }
        let (now, base) = (gst_clock_get_time(clock), gst_element_get_base_time(element))
        return now >= base ? Int64(clamping: now - base) : nil
    }

    /// The oldest message about a failure that nobody has taken yet; the receiver owns it.
    func takeFailure() -> UnsafeMutablePointer<GstMessage>? { gst_bus_pop(bus) }

    /// The failure in words.
    package func takeFailure(of subject: String) -> SourceError? {
        guard let message = takeFailure() else { return nil }
        defer { cgst_mini_unref(message) }
        return SourceError(message, about: subject, lacking: [], redact: Redaction(nil))
    }

    /// Whether any element still has a thread that moves data. A pipeline that gives nothing and has none will never
    /// give anything.
    var isFlowing: Bool {
        guard let elements = gst_bin_iterate_recurse(cgst_bin(element)) else { return false }
        defer { gst_iterator_free(elements) }
        var isFlowing: gboolean = 0
        gst_iterator_foreach(
            elements,
            { value, flag in
                guard let value, let element = g_value_get_object(value),
                    let pads = gst_element_iterate_pads(cgst_element(element))
                else { return }
                defer { gst_iterator_free(pads) }
                gst_iterator_foreach(
                    pads,
                    { value, flag in
                        guard let value, let pad = g_value_get_object(value) else { return }
                        if gst_pad_get_task_state(cgst_pad(pad)) == GST_TASK_STARTED {
                            flag?.assumingMemoryBound(to: gboolean.self).pointee = 1
                        }
                    }, flag)
            }, &isFlowing)
        return isFlowing != 0
    }
}
