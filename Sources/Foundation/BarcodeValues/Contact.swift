// SPDX-License-Identifier: Apache-2.0
/// Somebody's particulars: a vCard, MECARD or BIZCARD.
public struct Contact: Sendable, Equatable {
    /// A person's name in its parts.
    public struct Name: Sendable, Equatable {
        /// The whole name as it should be shown.
        public var formattedName: String?
        /// How it is spoken, in kana for Japanese names.
        public var pronunciation: String?
        public var prefix: String?
        public var first: String?
        public var middle: String?
        public var last: String?
        public var suffix: String?

        public init() {}
    }

    /// A postal address: its lines as on a letter, at least one.
    public struct Address: Sendable, Equatable {
        /// nil: not said.
        public var type: ValueType?
        /// The lines as on a letter, at least one.
        public var addressLines: [String]
    }

    public var name = Name()
    public var organization: String?
    public var title: String?
    public var phones: [Phone] = []
    public var emails: [Email] = []
    public var urls: [String] = []
    public var addresses: [Address] = []
    public var note: String?
    /// As written: `1996-04-15`, `--0415`.
    public var birthday: String?

    /// `text` is a whole vCard, MECARD or BIZCARD.
    init?(_ text: TextBytes) {
        guard let card = VCard.contact(text) ?? Self.mecard(text) ?? Self.bizcard(text) else { return nil }
        self = card
    }

    init() {}

    /// Whether it says who it is about, or how to reach them.
    var isEmpty: Bool {
        name.fields.isEmpty && organization == nil && phones.isEmpty && emails.isEmpty && urls.isEmpty
            && addresses.isEmpty
    }

    static let fieldNames = [
        "name", "organization", "title", "phones", "emails", "urls", "addresses", "note", "birthday",
    ]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("name", name.fields, shown: true)
        fields.add("organization", organization, shown: true)
        fields.add("title", title, shown: true)
        fields.add("phones", phones.map(\.fields), shown: true)
        fields.add("emails", emails.map(\.fields), shown: true)
        fields.add("urls", urls, shown: true)
        fields.add("addresses", addresses.map(\.fields), shown: true)
        fields.add("note", note)
        fields.add("birthday", birthday)
        return fields
    }
}

extension Contact.Name {
    /// First, middle and last name with what goes around them.
    var composed: String? {
        [prefix, first, middle, last, suffix].compactMap(\.self).joined(separator: " ").orNil
    }

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("formatted_name", formattedName ?? composed, shown: true)
        fields.add("pronunciation", pronunciation)
        fields.add("prefix", prefix)
        fields.add("first", first)
        fields.add("middle", middle)
        fields.add("last", last)
        fields.add("suffix", suffix)
        return fields
    }
}

extension Contact.Address {
    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("type", type?.rawValue)
        fields.add("address_lines", addressLines, shown: true)
        return fields
    }
}

/// The purpose of a phone number or an address.
public enum ValueType: String, Sendable, Codable, CaseIterable {
    case work, home, fax, mobile

    /// vCard's `TYPE` parameters in lower case. Fax and mobile say more than where.
    init?(phone types: [String]) {
        if types.contains("fax") {
            self = .fax
        } else if types.contains("cell") {
            self = .mobile
        } else {
            self.init(place: types)
        }
    }

    init?(place types: [String]) {
        if types.contains("home") {
            self = .home
        } else if types.contains("work") {
            self = .work
        } else {
            return nil
        }
    }
}
