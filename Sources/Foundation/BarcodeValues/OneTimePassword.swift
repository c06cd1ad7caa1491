// SPDX-License-Identifier: Apache-2.0
/// The key of a second factor: `otpauth:` as Google Authenticator's "Key Uri Format" and draft-linuxgemini-otpauth-uri
/// have it.
public struct OneTimePassword: Sendable, Equatable {
    public enum Kind: String, Sendable {
        /// RFC 6238 and RFC 4226.
        case totp, hotp
    }

    public var kind: Kind
    /// The service that the key is for, from its parameter or from the label.
    public var issuer: String?
    /// The label without its issuer.
    public var account: String?
    /// Base32, without padding and white space, upper case.
    public var secret: String
    /// `SHA1` (the default), `SHA256`, `SHA512`.
    public var algorithm: String
    /// 6 by default.
    public var digits: Int
    /// Seconds that a password is good for, 30 by default; only of `totp`.
    public var period: Int?
    /// Only of `hotp`.
    public var counter: Int?

    init?(_ text: TextBytes) {
        guard let rest = text.after(ignoringCase: "otpauth://") else { return nil }
        let (place, query) = rest.cut(at: "?")
        let (kind, label) = place.cut(at: "/")
        guard let kind = Kind(rawValue: kind.string.lowercased()), let query else { return nil }
        let parameters = PercentEncoding.query(query)
        guard let secret = parameters["secret"].flatMap(Self.base32) else { return nil }
        self.kind = kind
        self.secret = secret
        algorithm = (parameters["algorithm"] ?? "SHA1").uppercased().filter { $0 != "-" }
        guard ["SHA1", "SHA256", "SHA512", "MD5"].contains(algorithm) else { return nil }
        func number(_ name: String, _ range: ClosedRange<Int>, default value: Int?) -> Int? {
            guard let text = parameters[name] else { return value }
            return Array(text.utf8)[...].integer.flatMap { range.contains($0) ? $0 : nil }
        }
        guard let digits = number("digits", 4...10, default: 6) else { return nil }
        self.digits = digits
        switch kind {
        case .totp:
            guard let period = number("period", 1...86400, default: 30) else { return nil }
            self.period = period
        case .hotp:
            guard let counter = number("counter", 0...Int.max, default: nil) else { return nil }
            self.counter = counter
        }
        // The colon between issuer and account may be escaped.
        let (first, second) = Array(PercentEncoding.decoded(label ?? []).utf8)[...].cut(at: ":")
        account = (second ?? first).trimmingWhitespace.string.orNil
        issuer = parameters["issuer"]?.orNil ?? (second == nil ? nil : first.trimmingWhitespace.string.orNil)
    }

    /// RFC 4648, section 6, in any case.
    private static func base32(_ text: String) -> String? {
        let letters = text.uppercased().filter { $0 != "=" && $0 != " " && $0 != "-" }
        let isBase32 = letters.utf8.allSatisfy { $0.isUpper || UInt8(ascii: "2")...UInt8(ascii: "7") ~= $0 }
        return isBase32 && letters.utf8.count >= 2 ? letters : nil
    }

    static let fieldNames = ["type", "issuer", "account", "secret", "algorithm", "digits", "period", "counter"]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("type", kind.rawValue)
        fields.add("issuer", issuer, shown: true)
        fields.add("account", account, shown: true)
        fields.add("secret", secret)
        fields.add("algorithm", algorithm)
        fields.add("digits", digits)
        fields.add("period", period)
        fields.add("counter", counter)
        return fields
    }
}
