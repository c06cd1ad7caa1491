// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Settings

/// The version and elements of this machine's GStreamer, for `glimpsed doctor`.
package enum GStreamerInventory {
    /// nil when GStreamer does not start.
    package static var version: String? {
        guard (try? GStreamerRuntime.start()) != nil, let text = gst_version_string() else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }

    package static func has(element: String) -> Bool {
        guard (try? GStreamerRuntime.start()) != nil, let factory = gst_element_factory_find(element) else {
            return false
        }
        cgst_unref(UnsafeMutableRawPointer(factory))
        return true
    }

    /// The decoders of video that use a device, by the value of `source.decoder` that chooses them.
    package static var hardwareDecoders: [(choice: String, names: [String])] {
        guard (try? GStreamerRuntime.start()) != nil else { return [] }
        let installed = DecoderRanks.installed
        return DecoderChoice.allCases.filter(\.isHardware).map { choice in
            (choice.rawValue, installed.filter { $0.family == choice.family }.map(\.name))
        }
    }

    /// Has the list of plugins made, which starts a program and writes a file where it is out of date.
    package static func prepare() { try? GStreamerRuntime.start() }

    /// Loads the decoders of libav, which most sources use. They bring forty libraries. Starts no thread.
    package static func loadDecoders() {
        if let plugin = gst_plugin_load_by_name("libav") { cgst_unref(UnsafeMutableRawPointer(plugin)) }
    }

    /// Takes note of plugins that were installed, changed or removed since `prepare`.
    package static func update() { gst_update_registry() }

    /// Advice for a missing element.
    package static func advice(forElement element: String) -> String { DebianPackage.advice(forElement: element) }
}
