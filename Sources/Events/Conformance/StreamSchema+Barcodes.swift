/// A barcode, and the typed values, each under its own name.
extension StreamSchema {
    /// The formats of values that have an object.
    package static let typedValues = [
        "contact", "email", "phone", "sms", "url", "wifi", "geo", "calendar_event", "driver_license", "gs1", "otp",
        "payment", "boarding_pass",
    ]

    static let barcode = typedValues.reduce(barcodeWithoutValue) { members, value in
        members.with(Members([], [value: .defined(value)]))
    }

    private static let barcodeWithoutValue = Members(
        ["orientation"],
        [
            "format": name, "raw": .text(.any), "add_on": .text(.digits(2...5)), "raw_base64": .text(.base64),
            "raw_bytes": count,
            "raw_sha256": .text(.sha256), "truncated": .yes, "redacted": .defined("saids"), "display": .text(.any),
            "followed": .yes, "reads": count, "orientation": .number(NumberRange(least: -180, most: 180)),
            "symbology_id": .text(.any), "ec_level": .text(.any), "mirrored": .yes, "inverted": .yes,
            "value_format": name,
        ],
        rules: [
            .init(
                .has("redacted"), then: Members(absent: ["raw", "add_on", "raw_base64", "raw_bytes", "raw_sha256"]),
                otherwise: Members(rules: [
                    .init(
                        .has("format"),
                        then: Members(rules: [
                            .init(
                                .has("truncated"), then: Members(["raw_bytes", "raw_sha256"]),
                                otherwise: Members(["raw_base64"]))
                        ]), otherwise: Members(absent: ["raw", "add_on", "raw_base64", "raw_bytes", "display"]))
                ]))
        ])

    static let barcodeValues: KeyValuePairs<String, Members> = [
        "contact": .some([
            "name": .defined("person_name"), "organization": said, "title": said,
            "phones": .list(.defined("phone"), count: 1...Int.max),
            "emails": .list(.defined("email"), count: 1...Int.max), "urls": saids,
            "addresses": .list(.defined("postal_address"), count: 1...Int.max), "note": said, "birthday": said,
        ]),
        "person_name": .some([
            "formatted_name": said, "pronunciation": said, "prefix": said, "first": said, "middle": said, "last": said,
            "suffix": said,
        ]),
        "postal_address": Members(["address_lines"], ["type": name, "address_lines": saids]),
        "email": .some([
            "address": said, "type": name, "subject": said, "body": said, "more_addresses": saids, "cc": saids,
            "bcc": saids,
        ]),
        "phone": .some(["number": said, "type": name, "extension": said]),
        "sms": .some(["phone_number": said, "message": said, "subject": said, "more_phone_numbers": saids]),
        "url": .some(["title": said, "url": said, "repaired": .yes]),
        "wifi": .some([
            "ssid": said, "password": said, "encryption_type": name, "security": said, "hidden": .yes,
            "transition_disable": said, "public_key": said, "password_id": said, "eap": .defined("eap"),
        ]),
        "eap": .some(["method": said, "phase2": said, "identity": said, "anonymous_identity": said]),
        "geo": .some([
            "lat": .number(NumberRange(least: -90, most: 90)), "lng": .number(NumberRange(least: -180, most: 180)),
            "altitude": number, "uncertainty": .number(NumberRange(least: 0)), "query": said,
        ]),
        "calendar_event": .some([
            "summary": said, "description": said, "location": said, "organizer": said, "status": said,
            "start": .defined("calendar_time"), "end": .defined("calendar_time"), "duration": said, "recurrence": said,
        ]),
        "calendar_time": Members(
            ["year", "month", "day", "is_utc"],
            [
                "year": .integer, "month": whole(1...12), "day": whole(1...31), "hours": whole(0...23),
                "minutes": whole(0...59), "seconds": whole(0...60), "is_utc": .bool, "time_zone": said,
                "raw_value": said,
            ]),
        "driver_license": .some([
            "document_type": .word(["DL", "ID", "EN"]), "first_name": said, "middle_name": said, "last_name": said,
            "name_suffix": said, "gender": .word(["1", "2", "9"]), "address_street": said, "address_city": said,
            "address_state": said, "address_zip": said, "license_number": said, "issue_date": digits(8),
            "expiry_date": digits(8), "birth_date": digits(8), "date_order": .word(["mdy", "ymd"]),
            "issuing_country": .word(["USA", "CAN"]), "issuer_id": digits(6), "aamva_version": .count(from: 1),
        ]),
        "gs1": .some(["elements": .list(.defined("gs1_element"), count: 1...Int.max)]),
        "gs1_element": Members(
            ["ai", "title", "data"],
            [
                "ai": .text(.digits(2...4)), "title": said, "data": said, "date": .text(.moment),
                "end_date": .text(.day),
                "decimal": .text(.decimal), "unit": said, "currency": digits(3),
            ]),
        "otp": .some([
            "type": .word(["totp", "hotp"]), "issuer": said, "account": said, "secret": .text(.base32),
            "algorithm": said, "digits": .integer, "period": .integer, "counter": count,
        ]),
        "payment": .some([
            "scheme": name, "creditor": .defined("payment_party"), "iban": said, "bic": said,
            "debtor": .defined("payment_party"), "network": name, "address": said,
            "chain_id": .count(from: 1), "contract": said, "amount": .text(.decimal), "currency": said,
            "reference_type": name, "reference": said, "purpose": said, "label": said, "message": said,
            "information": said,
        ]),
        "payment_party": Members(["name"], ["name": said, "address_lines": saids, "country": .text(.capitals(2))]),
        "boarding_pass": .some([
            "passenger_name": said, "electronic_ticket": .bool,
            "legs": .list(.defined("flight_leg"), count: 1...Int.max), "issued": said, "document_type": said,
            "issuer": said,
        ]),
        "flight_leg": Members(
            ["from", "to", "carrier", "flight_number"],
            [
                "pnr": said, "from": .text(.capitals(3)), "to": .text(.capitals(3)), "carrier": said,
                "flight_number": said, "day_of_year": whole(1...366), "cabin": said, "seat": said, "sequence": said,
                "passenger_status": said, "marketing_carrier": said, "ticket_number": said,
                "frequent_flyer_airline": said, "frequent_flyer_number": said, "free_baggage": said, "fast_track": said,
            ]),
    ]

    private static let saids = Shape.defined("saids")
    private static func whole(_ range: ClosedRange<Int>) -> Shape { .number(.whole(range)) }
    private static func digits(_ count: Int) -> Shape { .text(.digits(count...count)) }
}
