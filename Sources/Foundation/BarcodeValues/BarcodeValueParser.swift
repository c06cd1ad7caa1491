// SPDX-License-Identifier: Apache-2.0
import Observations

/// Says what a barcode's text means. A pure function of symbology, symbology identifier and text.
///
/// The value comes from the first of these steps that finds its text valid:
///
/// 1. The symbology alone: EAN and UPC are products or ISBNs, and a symbol with FNC1 in first position holds GS1
///    element strings.
/// 2. The parsers of `marked`. Each asks for its own mark at the beginning of the text.
/// 3. The parsers of forms without a mark: boarding pass, email address, web address.
public enum BarcodeValueParser {
    /// nil when the payload is not text, or was not read.
    public static func value(of barcode: Barcode) -> BarcodeValue? {
        guard let raw = barcode.raw, let format = barcode.format else { return nil }
        return value(of: raw, format: format, symbologyIdentifier: barcode.symbologyIdentifier)
    }

    static func value(
        of raw: String, format: Barcode.Format = .qrCode, symbologyIdentifier: String = ""
    ) -> BarcodeValue {
        let text = Array(raw.utf8)[...]
        switch format {
        case .ean8, .ean13, .upcA, .upcE: return ProductNumber.value(of: text, format: format) ?? .text
        default: break
        }
        if GS1.isAnnounced(by: symbologyIdentifier, format) { return GS1(text).map(BarcodeValue.gs1) ?? .text }
        let content = text.trimmingWhitespace
        for (_, parse) in marked {
            if let value = parse(content) { return value }
        }
        return BoardingPass(text).map(BarcodeValue.boardingPass)
            ?? Email(bareAddress: content).map(BarcodeValue.email)
            ?? URLBookmark(content).map(BarcodeValue.url) ?? .text
    }

    private static let marked: [(format: BarcodeValueFormat, parse: @Sendable (ArraySlice<UInt8>) -> BarcodeValue?)] = [
        (.contact, { Contact($0).map(BarcodeValue.contact) }),
        (.email, { Email($0).map(BarcodeValue.email) }),
        (.isbn, { ISBN.isMarked($0) ? .isbn : nil }),
        (.phone, { Phone($0).map(BarcodeValue.phone) }),
        (.sms, { SMS($0).map(BarcodeValue.sms) }),
        (.wifi, { WiFi($0).map(BarcodeValue.wifi) }),
        (.geo, { GeoPoint($0).map(BarcodeValue.geo) }),
        (.calendarEvent, { CalendarEvent($0).map(BarcodeValue.calendarEvent) }),
        (.driverLicense, { DriverLicense($0).map(BarcodeValue.driverLicense) }),
        (.otp, { OneTimePassword($0).map(BarcodeValue.otp) }),
        (.payment, { Payment($0).map(BarcodeValue.payment) }),
    ]
}

extension Barcode {
    /// The meaning of the text; nil if the payload is not text.
    public var value: BarcodeValue? { BarcodeValueParser.value(of: self) }
}
