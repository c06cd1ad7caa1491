// SPDX-License-Identifier: Apache-2.0
/// A text message to be sent.
public struct SMS: Sendable, Equatable {
    /// The first recipient.
    public var phoneNumber: String
    public var message: String?
    /// The subject of a multimedia message.
    public var subject: String?
    /// Recipients besides `phoneNumber`.
    public var morePhoneNumbers: [String] = []

    /// `sms:` (RFC 5724) and `mms:` with a query, or `smsto:` and `mmsto:` with the message after a second colon.
    init?(_ text: TextBytes) {
        let schemes = ["smsto:", "mmsto:", "sms:", "mms:"]
        guard let rest = schemes.lazy.compactMap({ text.after(ignoringCase: $0) }).first else { return nil }
        // RFC 5724 has a query, everyone else a colon: whichever comes first.
        let marks: [UInt8] = [UInt8(ascii: "?"), UInt8(ascii: ":")]
        let end = rest.firstIndex { marks.contains($0) } ?? rest.endIndex
        let recipients = rest[..<end].parts(separatedBy: ",")
        // Parameters such as ;via= concern the sender's gateway.
        let numbers = recipients.map { Phone.number($0.cut(at: ";").0) }
        guard let first = numbers.first, let first, !numbers.contains(nil) else { return nil }
        phoneNumber = first
        morePhoneNumbers = numbers.dropFirst().compactMap(\.self)
        guard end < rest.endIndex else { return }
        if rest[end] == UInt8(ascii: ":") {
            message = rest[(end + 1)...].string.orNil
        } else {
            let query = PercentEncoding.query(rest[(end + 1)...])
            message = query["body"]?.orNil
            subject = query["subject"]?.orNil
        }
    }

    static let fieldNames = ["phone_number", "message", "subject", "more_phone_numbers"]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("phone_number", phoneNumber, shown: true)
        fields.add("message", message, shown: true)
        fields.add("subject", subject)
        fields.add("more_phone_numbers", morePhoneNumbers)
        return fields
    }
}
