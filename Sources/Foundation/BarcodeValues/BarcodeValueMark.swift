// SPDX-License-Identifier: Apache-2.0
import Observations

/// By what a payload claims to be of a format, valid or not. In doubt it does.
enum BarcodeValueMark {
    /// Has no default: a new format does not compile until this function says how its damaged payloads are recognised.
    static func of(_ format: BarcodeValueFormat, isIn barcode: Barcode) -> Bool {
        func holds(_ marks: String...) -> Bool { holdsAny(of: marks, barcode) }
        return switch format {
        case .product: barcode.format.map { [.ean8, .ean13, .upcA, .upcE].contains($0) } ?? false
        case .gs1: barcode.format.map { GS1.isAnnounced(by: barcode.symbologyIdentifier, $0) } ?? false
        // Any text is valid.
        case .text: false
        case .contact: holds("BEGIN:VCARD", "MECARD:", "BIZCARD:")
        case .email: holds("mailto:", "MATMSG:", "SMTP:")
        case .isbn:
            barcode.format == .ean13 && barcode.raw.map { ISBN.isBookland(Array($0.utf8)[...]) } ?? true
                || holds("ISBN", "urn:isbn:")
        case .phone: holds("tel:")
        case .sms: holds("sms:", "smsto:", "mms:", "mmsto:")
        case .url: holds("http:", "https:", "ftp:", "www.", "URL:", "MEBKM:", "URLTO:")
        case .wifi: holds("WIFI:")
        case .geo: holds("geo:")
        case .calendarEvent: holds("BEGIN:VCALENDAR", "BEGIN:VEVENT")
        case .driverLicense: holds("ANSI ", "AAMVA")
        case .otp: holds("otpauth:", "otpauth-migration:")
        case .payment:
            holds("BCD\n", "BCD\r", "SPC\n", "SPC\r", "bitcoin:", "litecoin:", "dogecoin:", "dash:", "ethereum:")
        case .boardingPass: holds("M1", "M2", "M3", "M4")
        }
    }

    /// A mark of five characters or more counts anywhere, a shorter one at the beginning.
    private static func holdsAny(of marks: [String], _ barcode: Barcode) -> Bool {
        let text = (barcode.raw.map { Array($0.utf8) } ?? barcode.bytes)[...]
        // Control characters and a licence's @ may stand before the mark.
        let start = text.drop { $0.isSpace || $0.isControl || $0 == UInt8(ascii: "@") || $0 >= 0x80 }
        return marks.contains { mark in
            start.after(ignoringCase: mark) != nil || mark.utf8.count >= 5 && start.contains(ignoringCase: mark)
        }
    }
}
