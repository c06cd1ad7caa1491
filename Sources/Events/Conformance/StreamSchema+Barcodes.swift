// SPDX-License-Identifier: Apache-2.0
/// The schema of barcodes and of their typed values.
extension StreamSchema {
    /// The formats of values with a typed object.
    package static let typedValues = [
        "contact", "email", "phone", "sms", "url", "wifi", "geo", "calendar_event", "driver_license", "gs1", "otp",
        "payment", "boarding_pass",
    ]

    static let barcode = typedValues.reduce(barcodeWithoutValue) { members, value in
        members.with(.value([], [value: .defined(value)]))
    }

    private static let barcodeWithoutValue = Members(
        [.orientation],
        [
            .format: name, .raw: .text(.any), .addOn: .text(.digits(2...5)), .rawBase64: .text(.base64),
            .rawBytes: count,
            .rawSHA256: .text(.sha256), .truncated: .alwaysTrue, .redacted: .defined("non_empty_texts"),
            .display: .text(.any),
            .followed: .alwaysTrue, .evidenceFrames: .count(from: 1), .reads: count,
            .orientation: .number(NumberRange(least: -180, most: 180)),
            .symbologyID: .text(.any), .errorCorrectionLevel: .text(.any), .mirrored: .alwaysTrue,
            .inverted: .alwaysTrue,
            .valueFormat: name,
        ],
        rules: [
            .init(
                .has(.redacted), then: Members(absent: [.raw, .addOn, .rawBase64, .rawBytes, .rawSHA256]),
                otherwise: Members(rules: [
                    .init(
                        .has(.format),
                        then: Members(rules: [
                            .init(
                                .has(.truncated), then: Members([.rawBytes, .rawSHA256]),
                                otherwise: Members([.rawBase64]))
                        ]), otherwise: Members(absent: [.raw, .addOn, .rawBase64, .rawBytes, .display]))
                ]))
        ])

    static let barcodeValues: KeyValuePairs<String, Members> = [
        "contact": .nonEmpty([
            "name": .defined("person_name"), "organization": nonEmptyText, "title": nonEmptyText,
            "phones": .list(.defined("phone"), count: 1...Int.max),
            "emails": .list(.defined("email"), count: 1...Int.max), "urls": nonEmptyTexts,
            "addresses": .list(.defined("postal_address"), count: 1...Int.max), "note": nonEmptyText,
            "birthday": nonEmptyText,
        ]),
        "person_name": .nonEmpty([
            "formatted_name": nonEmptyText, "pronunciation": nonEmptyText, "prefix": nonEmptyText,
            "first": nonEmptyText, "middle": nonEmptyText, "last": nonEmptyText,
            "suffix": nonEmptyText,
        ]),
        "postal_address": .value(["address_lines"], ["type": name, "address_lines": nonEmptyTexts]),
        "email": .nonEmpty([
            "address": nonEmptyText, "type": name, "subject": nonEmptyText, "body": nonEmptyText,
            "more_addresses": nonEmptyTexts, "cc": nonEmptyTexts,
            "bcc": nonEmptyTexts,
        ]),
        "phone": .nonEmpty(["number": nonEmptyText, "type": name, "extension": nonEmptyText]),
        "sms": .nonEmpty([
            "phone_number": nonEmptyText, "message": nonEmptyText, "subject": nonEmptyText,
            "more_phone_numbers": nonEmptyTexts,
        ]),
        "url": .nonEmpty(["title": nonEmptyText, "url": nonEmptyText, "repaired": .alwaysTrue]),
        "wifi": .nonEmpty([
            "ssid": nonEmptyText, "password": nonEmptyText, "encryption_type": name, "security": nonEmptyText,
            "hidden": .alwaysTrue,
            "transition_disable": nonEmptyText, "public_key": nonEmptyText, "password_id": nonEmptyText,
            "eap": .defined("eap"),
        ]),
        "eap": .nonEmpty([
            "method": nonEmptyText, "phase2": nonEmptyText, "identity": nonEmptyText,
            "anonymous_identity": nonEmptyText,
        ]),
        "geo": .nonEmpty([
            "lat": .number(NumberRange(least: -90, most: 90)), "lng": .number(NumberRange(least: -180, most: 180)),
            "altitude": number, "uncertainty": .number(NumberRange(least: 0)), "query": nonEmptyText,
        ]),
        "calendar_event": .nonEmpty([
            "summary": nonEmptyText, "description": nonEmptyText, "location": nonEmptyText, "organizer": nonEmptyText,
            "status": nonEmptyText,
            "start": .defined("calendar_time"), "end": .defined("calendar_time"), "duration": nonEmptyText,
            "recurrence": nonEmptyText,
        ]),
        "calendar_time": .value(
            ["year", "month", "day", "is_utc"],
            [
                "year": .integer, "month": whole(1...12), "day": whole(1...31), "hours": whole(0...23),
                "minutes": whole(0...59), "seconds": whole(0...60), "is_utc": .bool, "time_zone": nonEmptyText,
                "raw_value": nonEmptyText,
            ]),
        "driver_license": .nonEmpty([
            "document_type": .word(["DL", "ID", "EN"]), "first_name": nonEmptyText, "middle_name": nonEmptyText,
            "last_name": nonEmptyText,
            "name_suffix": nonEmptyText, "gender": .word(["1", "2", "9"]), "address_street": nonEmptyText,
            "address_city": nonEmptyText,
            "address_state": nonEmptyText, "address_zip": nonEmptyText, "license_number": nonEmptyText,
            "issue_date": digits(8),
            "expiry_date": digits(8), "birth_date": digits(8), "date_order": .word(["mdy", "ymd"]),
            "issuing_country": .word(["USA", "CAN"]), "issuer_id": digits(6), "aamva_version": .count(from: 1),
        ]),
        "gs1": .nonEmpty(["elements": .list(.defined("gs1_element"), count: 1...Int.max)]),
        "gs1_element": .value(
            ["ai", "title", "data"],
            [
                "ai": .text(.digits(2...4)), "title": nonEmptyText, "data": nonEmptyText, "date": .text(.moment),
                "end_date": .text(.day),
                "decimal": .text(.decimal), "unit": nonEmptyText, "currency": digits(3),
            ]),
        "otp": .nonEmpty([
            "type": .word(["totp", "hotp"]), "issuer": nonEmptyText, "account": nonEmptyText, "secret": .text(.base32),
            "algorithm": nonEmptyText, "digits": .integer, "period": .integer, "counter": count,
        ]),
        "payment": .nonEmpty([
            "scheme": name, "creditor": .defined("payment_party"), "iban": nonEmptyText, "bic": nonEmptyText,
            "debtor": .defined("payment_party"), "network": name, "address": nonEmptyText, "chain_id": .count(from: 1),
            "contract": nonEmptyText, "amount": .text(.decimal), "currency": nonEmptyText,
            "reference_type": name, "reference": nonEmptyText, "purpose": nonEmptyText, "label": nonEmptyText,
            "message": nonEmptyText,
            "information": nonEmptyText,
        ]),
        "payment_party": .value(
            ["name"], ["name": nonEmptyText, "address_lines": nonEmptyTexts, "country": .text(.capitals(2))]),
        "boarding_pass": .nonEmpty([
            "passenger_name": nonEmptyText, "electronic_ticket": .bool,
            "legs": .list(.defined("flight_leg"), count: 1...Int.max), "issued": nonEmptyText,
            "document_type": nonEmptyText,
            "issuer": nonEmptyText,
        ]),
        "flight_leg": .value(
            ["from", "to", "carrier", "flight_number"],
            [
                "pnr": nonEmptyText, "from": .text(.capitals(3)), "to": .text(.capitals(3)), "carrier": nonEmptyText,
                "flight_number": nonEmptyText, "day_of_year": whole(1...366), "cabin": nonEmptyText,
                "seat": nonEmptyText, "sequence": nonEmptyText,
                "passenger_status": nonEmptyText, "marketing_carrier": nonEmptyText, "ticket_number": nonEmptyText,
                "frequent_flyer_airline": nonEmptyText, "frequent_flyer_number": nonEmptyText,
                "free_baggage": nonEmptyText, "fast_track": nonEmptyText,
            ]),
    ]

    private static let nonEmptyTexts = Shape.defined("non_empty_texts")
    private static func whole(_ range: ClosedRange<Int>) -> Shape { .number(.whole(range)) }
    private static func digits(_ count: Int) -> Shape { .text(.digits(count...count)) }
}
