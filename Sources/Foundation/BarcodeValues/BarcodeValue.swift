// SPDX-License-Identifier: Apache-2.0
/// The meaning of a barcode's text. A value is typed only if it is valid by the document that defines it; everything
/// else is `text`.
///
/// Sub-fields are named as Mobile Vision's (Android's where the two platforms differ). A nil field is absent in the
/// text.
public enum BarcodeValue: Sendable, Equatable {
    case contact(Contact)
    case email(Email)
    case isbn
    case phone(Phone)
    case product
    case sms(SMS)
    case text
    case url(URLBookmark)
    case wifi(WiFi)
    case geo(GeoPoint)
    case calendarEvent(CalendarEvent)
    case driverLicense(DriverLicense)
    case gs1(GS1)
    case otp(OneTimePassword)
    case payment(Payment)
    case boardingPass(BoardingPass)

    /// The name of the meaning, as `value_format` in events has it.
    public var format: BarcodeValueFormat {
        switch self {
        case .contact: .contact
        case .email: .email
        case .isbn: .isbn
        case .phone: .phone
        case .product: .product
        case .sms: .sms
        case .text: .text
        case .url: .url
        case .wifi: .wifi
        case .geo: .geo
        case .calendarEvent: .calendarEvent
        case .driverLicense: .driverLicense
        case .gs1: .gs1
        case .otp: .otp
        case .payment: .payment
        case .boardingPass: .boardingPass
        }
    }

    /// The typed value as a tree; nil for the formats that are no more than their text.
    public var fields: ValueFields? {
        switch self {
        case .isbn, .product, .text: nil
        case .contact(let value): value.fields
        case .email(let value): value.fields
        case .phone(let value): value.fields
        case .sms(let value): value.fields
        case .url(let value): value.fields
        case .wifi(let value): value.fields
        case .geo(let value): value.fields
        case .calendarEvent(let value): value.fields
        case .driverLicense(let value): value.fields
        case .gs1(let value): value.fields
        case .otp(let value): value.fields
        case .payment(let value): value.fields
        case .boardingPass(let value): value.fields
        }
    }
}
