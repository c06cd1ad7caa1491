// SPDX-License-Identifier: Apache-2.0
/// `value_format` of the events.
public enum BarcodeValueFormat: String, Sendable, Codable, CaseIterable {
    case contact, email, isbn, phone, product, sms, text, url, wifi, geo
    case calendarEvent = "calendar_event"
    case driverLicense = "driver_license"
    case gs1, otp, payment
    case boardingPass = "boarding_pass"

    /// The names that the typed object's own members can have; empty for the formats that have no object. Those of
    /// `gs1` are the application identifiers besides `elements`.
    public var fieldNames: [String] {
        switch self {
        case .isbn, .product, .text: []
        case .contact: Contact.fieldNames
        case .email: Email.fieldNames
        case .phone: Phone.fieldNames
        case .sms: SMS.fieldNames
        case .url: URLBookmark.fieldNames
        case .wifi: WiFi.fieldNames
        case .geo: GeoPoint.fieldNames
        case .calendarEvent: CalendarEvent.fieldNames
        case .driverLicense: DriverLicense.fieldNames
        case .gs1: GS1.fieldNames
        case .otp: OneTimePassword.fieldNames
        case .payment: Payment.fieldNames
        case .boardingPass: BoardingPass.fieldNames
        }
    }
}
