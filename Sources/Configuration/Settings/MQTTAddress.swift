// SPDX-License-Identifier: Apache-2.0
/// The address of an MQTT broker: `mqtt://HOST[:PORT]` or `mqtts://HOST[:PORT]`.
package struct MQTTAddress: Sendable, Equatable {
    package var isEncrypted: Bool
    /// A name, an IPv4 address, or an IPv6 address without brackets.
    package var host: String
    /// 1...65535; 1883 or 8883 unless given.
    package var port: Int

    /// nil for another form.
    init?(_ text: String) {
        guard let rest = address(text, schemes: ["mqtt", "mqtts"]) else { return nil }
        isEncrypted = text.prefix { $0 != ":" }.lowercased() == "mqtts"
        var port = rest[rest.endIndex...]
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            port = rest[rest.index(after: end)...]
        } else {
            host = String(rest.prefix { $0 != ":" })
            port = rest.dropFirst(host.count)
        }
        self.port = isEncrypted ? 8883 : 1883
        if !port.isEmpty {
            guard port.hasPrefix(":"), let number = Int(port.dropFirst()), (1...65535).contains(number) else {
                return nil
            }
            self.port = number
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || "/?#@".contains($0) }) else { return nil }
    }

    /// Whether the broker is on this machine, as far as the address shows it.
    package var isLoopback: Bool { HostKind(host) == .loopback }

    package var text: String {
        "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
