// SPDX-License-Identifier: Apache-2.0
/// How to join a wireless network.
public struct WiFi: Sendable, Equatable {
    /// Mobile Vision's three types. `security` has the protocol itself.
    public enum EncryptionType: String, Sendable, CaseIterable {
        case open, wpa, wep
    }

    /// Enterprise networks (IEEE 802.1X).
    public struct EAP: Sendable, Equatable {
        /// Upper case: `PEAP`, `TTLS`.
        public var method: String?
        /// Inner authentication, upper case: `MSCHAPV2`.
        public var phase2: String?
        public var identity: String?
        public var anonymousIdentity: String?
    }

    /// At most 32 bytes of UTF-8.
    public var ssid: String
    public var password: String?
    /// nil: not said though there is a password.
    public var encryptionType: EncryptionType?
    /// The protocol as written, in upper case: `WPA2`, `SAE`, `WPA2-EAP`, `OWE`.
    public var security: String?
    /// Whether the network does not announce its name.
    public var isHidden = false
    /// The network has switched off older protocols (WPA3 Specification, URI format: transition disable), as written.
    public var transitionDisable: String?
    /// The public key of SAE-PK, base64 (also in that section).
    public var publicKey: String?
    /// Identifies a password (the same section).
    public var passwordID: String?
    /// nil unless the text has a method, an inner authentication, or a type that ends in `EAP`.
    public var eap: EAP?

    /// `WIFI:T:WPA;S:name;P:password;H:true;;`: ZXing's form, escaped by backslashes; the Wi-Fi Alliance's of WPA3,
    /// which has `R:` or `K:`, escaped by percent signs.
    init?(_ text: TextBytes) {
        guard let rest = text.after(ignoringCase: "WIFI:") else { return nil }
        let form = BackslashFields(rest)
        let isWPA3Form = form.raw("R") != nil || form.raw("K") != nil
        func value(_ key: String) -> String? {
            guard let raw = form.raw(key) else { return nil }
            return (isWPA3Form ? PercentEncoding.decoded(raw) : BackslashFields.unescaped(Self.unquoted(raw))).orNil
        }
        guard let ssid = value("S"), ssid.utf8.count <= 32 else { return nil }
        self.ssid = ssid
        password = value("P")
        let type = value("T")?.uppercased() ?? ""
        switch type {
        case "", "NOPASS", "OPEN", "NONE", "OWE": encryptionType = password == nil ? .open : nil
        case "WEP": encryptionType = .wep
        case "SAE", "WPA", "WPA2", "WPA3", "WPA/WPA2", "WPA2/WPA3", "WPA-PSK", "WPA2-PSK", "WPA3-SAE", "WPA-EAP",
            "WPA2-EAP", "WPA3-EAP", "WPA2-PSK/WPA3-SAE":
            encryptionType = .wpa
        default: return nil
        }
        security = ["", "NOPASS", "OPEN", "NONE"].contains(type) ? nil : type
        transitionDisable = isWPA3Form ? value("R") : nil
        publicKey = isWPA3Form ? value("K") : nil
        let hidden = value("H")
        // Android's first readers took the second phase from H when it was no truth value.
        isHidden = hidden.map { ["true", "1", "yes"].contains($0.lowercased()) } ?? false
        let method = value("E")?.uppercased()
        let phase2 = value("PH2") ?? hidden.flatMap { Self.isTruth($0) ? nil : $0 }
        if method != nil || phase2 != nil || type.hasSuffix("EAP") {
            eap = EAP(
                method: method, phase2: phase2?.uppercased(), identity: value("I"), anonymousIdentity: value("A"))
        } else {
            passwordID = value("I")
        }
    }

    private static func isTruth(_ text: String) -> Bool {
        ["true", "false", "1", "0", "yes", "no"].contains(text.lowercased())
    }

    /// A name in quotation marks that are not escaped is one that could be read as hexadecimal digits otherwise.
    private static func unquoted(_ value: TextBytes) -> TextBytes {
        let mark = UInt8(ascii: "\"")
        let isQuoted = value.count > 2 && value.first == mark && value.last == mark && value.dropLast().last != 0x5C
        return isQuoted ? value.dropFirst().dropLast() : value
    }

    static let fieldNames = [
        "ssid", "password", "encryption_type", "security", "hidden", "transition_disable", "public_key", "password_id",
        "eap",
    ]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("ssid", ssid, shown: true)
        fields.add("password", password)
        fields.add("encryption_type", encryptionType?.rawValue)
        fields.add("security", security)
        fields.add("hidden", ifTrue: isHidden)
        fields.add("transition_disable", transitionDisable)
        fields.add("public_key", publicKey)
        fields.add("password_id", passwordID)
        var inner = ValueFields()
        inner.add("method", eap?.method)
        inner.add("phase2", eap?.phase2)
        inner.add("identity", eap?.identity)
        inner.add("anonymous_identity", eap?.anonymousIdentity)
        fields.add("eap", inner)
        return fields
    }
}
