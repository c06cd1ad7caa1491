// SPDX-License-Identifier: Apache-2.0
/// vCard 2.1 (versit, 1996), 3.0 (RFC 2426) and 4.0 (RFC 6350). The first card of several; a card within a card (AGENT)
/// is passed over.
enum VCard {
    /// nil when it is not a vCard with an end, or nothing can be made of it.
    static func contact(_ text: TextBytes) -> Contact? {
        guard text.after(ignoringCase: "BEGIN:VCARD") != nil, let lines = card(ContentLine.all(in: text)) else {
            return nil
        }
        var contact = Contact()
        for line in lines { add(line, to: &contact) }
        return contact.isEmpty ? nil : contact
    }

    /// The lines between BEGIN and its END.
    private static func card(_ lines: [ContentLine]) -> [ContentLine]? {
        var inside: [ContentLine] = []
        var depth = 0
        for line in lines {
            let isCard = line.value.trimmingWhitespace.equals(ignoringCase: "VCARD")
            if line.name == "BEGIN", isCard {
                depth += 1
            } else if line.name == "END", isCard {
                depth -= 1
                if depth == 0 { return inside }
            } else if depth == 1 {
                inside.append(line)
            }
        }
        return nil
    }

    private static func add(_ line: ContentLine, to contact: inout Contact) {
        switch line.name {
        case "FN": contact.name.formattedName = contact.name.formattedName ?? line.text.orNil
        case "N": setName(line, in: &contact.name)
        case "SOUND", "X-PHONETIC-FIRST-NAME", "X-PHONETIC-LAST-NAME": addSound(line, to: &contact.name)
        case "ORG":
            let parts = line.components(";").filter { !$0.isEmpty }
            contact.organization = contact.organization ?? parts.joined(separator: ", ").orNil
        case "TITLE": contact.title = contact.title ?? line.text.orNil
        case "TEL":
            // vCard 4.0's value may be a tel: address.
            var phone = Phone(line.value.trimmingWhitespace) ?? Phone(number: line.text)
            phone.type = ValueType(phone: line.parameter("TYPE"))
            if !phone.number.isEmpty { contact.phones.append(phone) }
        case "EMAIL":
            if let address = line.text.orNil {
                contact.emails.append(Email(address: address, type: ValueType(place: line.parameter("TYPE"))))
            }
        case "URL":
            if let url = line.text.orNil { contact.urls.append(url) }
        case "ADR": addAddress(line, to: &contact)
        case "NOTE": contact.note = contact.note ?? line.text.orNil
        case "BDAY": contact.birthday = contact.birthday ?? line.text.orNil
        default: break
        }
    }

    /// Family name; given name; additional names; prefixes; suffixes.
    private static func setName(_ line: ContentLine, in name: inout Contact.Name) {
        guard name.first == nil, name.last == nil else { return }
        let parts = line.components(";").map { $0.orNil }
        func part(_ place: Int) -> String? { parts.indices.contains(place) ? parts[place] : nil }
        name.last = part(0)
        name.first = part(1)
        name.middle = part(2)
        name.prefix = part(3)
        name.suffix = part(4)
    }

    private static func addSound(_ line: ContentLine, to name: inout Contact.Name) {
        guard let sound = line.components(";").filter({ !$0.isEmpty }).joined(separator: " ").orNil else { return }
        name.pronunciation = name.pronunciation.map { "\($0) \(sound)" } ?? sound
    }

    /// Post office box; extended address; street; locality; region; postal code; country.
    private static func addAddress(_ line: ContentLine, to contact: inout Contact) {
        let parts = line.components(";")
        func part(_ place: Int) -> String { parts.indices.contains(place) ? parts[place] : "" }
        let town = [part(3), part(4), part(5)].filter { !$0.isEmpty }.joined(separator: ", ")
        let lines = [part(0), part(1), part(2), town, part(6)]
            .flatMap { $0.split(separator: "\n").map(String.init) }
        guard !lines.isEmpty else { return }
        contact.addresses.append(
            Contact.Address(type: ValueType(place: line.parameter("TYPE")), addressLines: lines))
    }
}
