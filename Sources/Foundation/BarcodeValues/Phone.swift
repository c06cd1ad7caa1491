// SPDX-License-Identifier: Apache-2.0
/// A telephone number.
public struct Phone: Sendable, Equatable {
    /// As written, without parameters.
    public var number: String
    /// nil: not said.
    public var type: ValueType?
    /// The digits to dial after the connection.
    public var `extension`: String?

    public init(number: String, type: ValueType? = nil) {
        self.number = number
        self.type = type
    }

    /// A `tel:` address (RFC 3966).
    init?(_ text: TextBytes) {
        guard let rest = text.after(ignoringCase: "tel:") else { return nil }
        let parts = rest.parts(separatedBy: ";")
        guard let number = Self.number(parts[0]) else { return nil }
        self.number = number
        `extension` = parts.dropFirst().compactMap { $0.after(ignoringCase: "ext=") }.first
            .flatMap { PercentEncoding.decoded($0).orNil }
    }

    /// Digits with visual separators (RFC 3966, 3), and what local numbers have besides. nil when it is no number.
    static func number(_ text: TextBytes) -> String? {
        let number = Array(PercentEncoding.decoded(text).utf8)[...].trimmingWhitespace
        let isDialled = number.allSatisfy { $0.isDigit || "+-.()*# ,/".utf8.contains($0) }
        return isDialled && number.contains { $0.isDigit } ? number.string : nil
    }

    static let fieldNames = ["number", "type", "extension"]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("number", number, shown: true)
        fields.add("type", type?.rawValue)
        fields.add("extension", `extension`)
        return fields
    }
}
