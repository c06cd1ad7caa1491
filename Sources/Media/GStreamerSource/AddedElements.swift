// SPDX-License-Identifier: Apache-2.0
import CGStreamer

/// Watches the elements that a pipeline gets while it runs.
enum AddedElements {
    private final class Watcher: Sendable {
        let added: @Sendable (Element) -> Void

        init(_ added: @escaping @Sendable (Element) -> Void) {
            self.added = added
        }
    }

    /// - Parameters:
    ///   - type: of the elements that count; nil for all.
    ///   - added: called for each element that is added to the bin, however deep, by the thread that adds it. It is
    ///     kept as long as the bin lives.
    static func watch(_ bin: Element, type: String? = nil, _ added: @escaping @Sendable (Element) -> Void) {
        let watcher = Watcher { element in
            if type == nil || type == String(cString: cgst_factory_name(element)) { added(element) }
        }
        cgst_connect_element_added(
            bin,
            { _, _, element, data in
                guard let element, let data else { return }
                Unmanaged<Watcher>.fromOpaque(data).takeUnretainedValue().added(element)
            }, Unmanaged.passRetained(watcher).toOpaque()
        ) { data, _ in data.map { Unmanaged<Watcher>.fromOpaque($0).release() } }
    }
}
