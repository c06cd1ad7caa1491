// SPDX-License-Identifier: Apache-2.0
/// A North American driver licence or identification card (AAMVA DL/ID Card Design Standard, annex D).
public struct DriverLicense: Sendable, Equatable {
    /// The order of year, month and day in a date's eight digits.
    public enum DateOrder: String, Sendable {
        case monthDayYear = "mdy"
        case yearMonthDay = "ymd"
    }

    /// `DL`, `ID`, or `EN` for an enhanced one.
    public var documentType: String
    public var firstName: String?
    public var middleName: String?
    public var lastName: String?
    public var nameSuffix: String?
    /// `1` male, `2` female, `9` not said (ISO/IEC 5218).
    public var gender: String?
    /// Both lines of the street, separated by a comma and a space.
    public var addressStreet: String?
    public var addressCity: String?
    public var addressState: String?
    public var addressZip: String?
    public var licenseNumber: String
    /// Eight digits in the order of `dateOrder`, as all dates.
    public var issueDate: String?
    /// Eight digits in the order of `dateOrder`.
    public var expiryDate: String?
    /// Eight digits in the order of `dateOrder`.
    public var birthDate: String?
    /// `yearMonthDay` for cards of Canada and of the standard's first version, otherwise `monthDayYear`.
    public var dateOrder: DateOrder
    /// `USA` or `CAN`.
    public var issuingCountry: String?
    /// The issuing jurisdiction's number.
    public var issuerID: String
    /// The version of the standard: 1 (2000) to 10 (2020) and later.
    public var version: Int

    /// The text of a licence's PDF417 symbol.
    init?(_ text: TextBytes) {
        guard let file = AAMVAFile(text), let number = file["DAQ"] else { return nil }
        documentType = file.documentType
        licenseNumber = number
        issuerID = file.issuerID
        version = file.version
        (lastName, firstName, middleName, nameSuffix) = Self.names(in: file)
        gender = file["DBC"].flatMap { ["1": "1", "M": "1", "2": "2", "F": "2", "9": "9", "X": "9"][$0.uppercased()] }
        addressStreet =
            [file["DAG"] ?? file["DAL"], file["DAH"] ?? file["DAM"]].compactMap(\.self)
            .joined(separator: ", ").orNil
        addressCity = file["DAI"] ?? file["DAN"]
        addressState = file["DAJ"] ?? file["DAO"]
        addressZip = file["DAK"] ?? file["DAP"]
        let country = file["DCG"] ?? file["DBF"] ?? AAMVAFile.country(issuer: file.issuerID)
        issuingCountry = country.flatMap { ["USA": "USA", "US": "USA", "CAN": "CAN", "CA": "CAN"][$0.uppercased()] }
        // Version 1 has years first everywhere.
        dateOrder = issuingCountry == "CAN" || version == 1 ? .yearMonthDay : .monthDayYear
        for (id, path) in [("DBD", \Self.issueDate), ("DBA", \.expiryDate), ("DBB", \.birthDate)] {
            guard let date = file[id] else { continue }
            guard let date = Self.date(date, dateOrder) else { return nil }
            self[keyPath: path] = date
        }
    }

    /// Versions 2 and 3 have one field of given names, version 1 one of all names.
    private static func names(in file: AAMVAFile) -> (last: String?, first: String?, middle: String?, suffix: String?) {
        var last = file["DCS"] ?? file["DAB"]
        var first = file["DAC"]
        var middle = file["DAD"]
        var suffix = file["DCU"] ?? file["DAE"]
        if first == nil, let given = file["DCT"] {
            let parts = given.split { $0 == "," || $0 == " " }.map(String.init)
            first = parts.first
            middle = middle ?? parts.dropFirst().joined(separator: " ").orNil
        }
        if last == nil, first == nil, let all = file["DAA"] {
            let parts = all.split(separator: ",", omittingEmptySubsequences: false)
                .map { String($0).trimmingSpaces.orNil }
            func part(_ place: Int) -> String? { parts.indices.contains(place) ? parts[place] : nil }
            (last, first, middle, suffix) = (part(0), part(1), part(2), suffix ?? part(3))
        }
        return (last, first, middle, suffix)
    }

    /// The date when it is one in that order.
    private static func date(_ text: String, _ order: DateOrder) -> String? {
        let digits = Array(text.utf8)[...]
        guard digits.count == 8, digits.isDigits else { return nil }
        let isYearFirst = order == .yearMonthDay
        let year = isYearFirst ? digits.prefix(4) : digits.suffix(4)
        let monthDay = isYearFirst ? digits.suffix(4) : digits.prefix(4)
        guard let year = year.integer, let month = monthDay.prefix(2).integer, let day = monthDay.suffix(2).integer,
            CivilDate.isDay(year: year, month: month, day: day)
        else { return nil }
        return text
    }

    static let fieldNames = [
        "document_type", "first_name", "middle_name", "last_name", "name_suffix", "gender", "address_street",
        "address_city", "address_state", "address_zip", "license_number", "issue_date", "expiry_date", "birth_date",
        "date_order", "issuing_country", "issuer_id", "aamva_version",
    ]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("document_type", documentType)
        fields.add("first_name", firstName, shown: true)
        fields.add("middle_name", middleName, shown: true)
        fields.add("last_name", lastName, shown: true)
        fields.add("name_suffix", nameSuffix)
        fields.add("gender", gender)
        fields.add("address_street", addressStreet)
        fields.add("address_city", addressCity)
        fields.add("address_state", addressState)
        fields.add("address_zip", addressZip)
        fields.add("license_number", licenseNumber, shown: true)
        fields.add("issue_date", issueDate)
        fields.add("expiry_date", expiryDate)
        fields.add("birth_date", birthDate)
        fields.add("date_order", dateOrder.rawValue)
        fields.add("issuing_country", issuingCountry)
        fields.add("issuer_id", issuerID)
        fields.add("aamva_version", version)
        return fields
    }
}
