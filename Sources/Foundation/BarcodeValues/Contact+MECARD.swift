// SPDX-License-Identifier: Apache-2.0
extension Contact {
    /// NTT docomo, "Barcode function: address book registration (MECARD)": `N:last,first;SOUND:last,first;TEL:;...;;`.
    static func mecard(_ text: TextBytes) -> Contact? {
        guard let rest = text.after(ignoringCase: "MECARD:") else { return nil }
        let card = BackslashFields(rest)
        guard card.isTerminated, let name = card.raw("N") else { return nil }
        var contact = Contact()
        let parts = BackslashFields.list(name).map(\.trimmingSpaces)
        contact.name.last = parts.count > 1 ? parts.first?.orNil : nil
        contact.name.first = (parts.count > 1 ? parts[1] : parts[0]).orNil
        contact.name.pronunciation =
            card.raw("SOUND").map {
                BackslashFields.list($0).filter { !$0.isEmpty }.joined(separator: " ")
            }?.orNil
        contact.phones = card.texts("TEL").map { Phone(number: $0) }
        contact.emails = card.texts("EMAIL").map { Email(address: $0) }
        contact.urls = card.texts("URL")
        contact.addresses = card.fields.filter { $0.key == "ADR" }.compactMap { address in
            let lines = BackslashFields.list(address.value).map(\.trimmingSpaces).filter { !$0.isEmpty }
            return lines.isEmpty ? nil : Address(addressLines: lines)
        }
        contact.organization = card.text("ORG")
        contact.title = card.text("TITLE")
        contact.note = card.texts("NOTE").joined(separator: "\n").orNil
        contact.birthday = card.text("BDAY")
        return contact.isEmpty ? nil : contact
    }

    /// BIZCARD, as early phones write it. The fields are N first name, X last name, T title, C company, A address, B, M
    /// and F phone, mobile and fax, E email. ZXing's wiki, "Barcode Contents", is its only description.
    static func bizcard(_ text: TextBytes) -> Contact? {
        guard let rest = text.after(ignoringCase: "BIZCARD:") else { return nil }
        let card = BackslashFields(rest)
        guard card.isTerminated else { return nil }
        var contact = Contact()
        contact.name.first = card.text("N")
        contact.name.last = card.text("X")
        contact.title = card.text("T")
        contact.organization = card.text("C")
        contact.addresses = card.texts("A").map { Address(addressLines: [$0]) }
        contact.phones =
            card.texts("B").map { Phone(number: $0, type: .work) }
            + card.texts("M").map { Phone(number: $0, type: .mobile) }
            + card.texts("F").map { Phone(number: $0, type: .fax) }
        contact.emails = card.texts("E").map { Email(address: $0) }
        return contact.isEmpty ? nil : contact
    }
}
