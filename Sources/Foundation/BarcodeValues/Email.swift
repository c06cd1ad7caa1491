// SPDX-License-Identifier: Apache-2.0
/// An email to be written.
public struct Email: Sendable, Equatable {
    /// The first recipient.
    public var address: String
    /// nil: not said.
    public var type: ValueType?
    public var subject: String?
    public var body: String?
    /// Recipients besides `address`.
    public var moreAddresses: [String] = []
    public var cc: [String] = []
    public var bcc: [String] = []

    public init(address: String, type: ValueType? = nil) {
        self.address = address
        self.type = type
    }

    /// `mailto:` (RFC 6068), `MATMSG:` (NTT docomo) or `SMTP:address:subject:body`.
    init?(_ text: TextBytes) {
        if let rest = text.after(ignoringCase: "mailto:") {
            self.init(mailto: rest)
        } else if let rest = text.after(ignoringCase: "MATMSG:") {
            self.init(matmsg: BackslashFields(rest))
        } else if let rest = text.after(ignoringCase: "SMTP:") {
            let (address, more) = rest.cut(at: ":")
            guard Self.isAddress(address) else { return nil }
            self.init(address: address.string)
            let (subject, body) = more?.cut(at: ":") ?? ([], nil)
            self.subject = subject.string.orNil
            self.body = body?.string.orNil
        } else {
            return nil
        }
    }

    /// An address and nothing else.
    init?(bareAddress text: TextBytes) {
        guard Self.isAddress(text) else { return nil }
        address = text.string
    }

    private init?(mailto text: TextBytes) {
        let (to, query) = text.cut(at: "?")
        let headers = query.map(PercentEncoding.query) ?? []
        func addresses(_ name: String) -> [String] {
            headers.filter { $0.name == name }.flatMap { $0.value.split(separator: ",").map(String.init) }
        }
        let recipients = to.parts(separatedBy: ",").map(PercentEncoding.decoded) + addresses("to")
        let everyone = recipients.map(\.trimmingSpaces).filter { !$0.isEmpty }
        guard let first = everyone.first, everyone.allSatisfy({ Self.isAddress(Array($0.utf8)[...]) }) else {
            return nil
        }
        address = first
        moreAddresses = Array(everyone.dropFirst())
        cc = addresses("cc")
        bcc = addresses("bcc")
        subject = headers["subject"]?.orNil
        body = headers["body"]?.orNil
    }

    private init?(matmsg message: BackslashFields) {
        let recipients = message.texts("TO")
        guard let first = recipients.first, recipients.allSatisfy({ Self.isAddress(Array($0.utf8)[...]) }) else {
            return nil
        }
        address = first
        moreAddresses = Array(recipients.dropFirst())
        subject = message.text("SUB")
        body = message.text("BODY")
    }

    /// `local@domain`: atoms and dots (RFC 5322, 3.4.1), letters of RFC 6532, and a domain of two labels or more.
    static func isAddress(_ text: TextBytes) -> Bool {
        guard let at = text.lastIndex(of: UInt8(ascii: "@")), at - text.startIndex <= 64 else { return false }
        let local = text[..<at]
        let isLocal = local.parts(separatedBy: ".").allSatisfy { atom in
            !atom.isEmpty
                && atom.allSatisfy { $0.isAlphanumeric || $0 >= 0x80 || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
        }
        return isLocal && HostName.isDomain(text[(at + 1)...])
    }

    static let fieldNames = ["address", "type", "subject", "body", "more_addresses", "cc", "bcc"]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("address", address, shown: true)
        fields.add("type", type?.rawValue)
        fields.add("subject", subject, shown: true)
        fields.add("body", body, shown: true)
        fields.add("more_addresses", moreAddresses)
        fields.add("cc", cc)
        fields.add("bcc", bcc)
        return fields
    }
}
