import Observations

/// By what a payload claims to be of a format, valid or not: a mark of five characters or more anywhere, a shorter one at the beginning.
/// In doubt it does.
enum BarcodeValueMark {
    private static let marks: [BarcodeValueFormat: [String]] = [
        .contact: ["BEGIN:VCARD", "MECARD:", "BIZCARD:"],
        .email: ["mailto:", "MATMSG:", "SMTP:"],
        .isbn: ["ISBN", "urn:isbn:"],
        .phone: ["tel:"],
        .sms: ["sms:", "smsto:", "mms:", "mmsto:"],
        .url: ["http:", "https:", "ftp:", "www.", "URL:", "MEBKM:", "URLTO:"],
        .wifi: ["WIFI:"],
        .geo: ["geo:"],
        .calendarEvent: ["BEGIN:VCALENDAR", "BEGIN:VEVENT"],
        .driverLicense: ["ANSI ", "AAMVA"],
        .otp: ["otpauth:", "otpauth-migration:"],
        .payment: ["BCD\n", "BCD\r", "SPC\n", "SPC\r", "bitcoin:", "litecoin:", "dogecoin:", "dash:", "ethereum:"],
        .boardingPass: ["M1", "M2", "M3", "M4"],
    ]

    static func of(_ format: BarcodeValueFormat, isIn barcode: Barcode) -> Bool {
        switch format {
        case .product: return barcode.format.map { [.ean8, .ean13, .upcA, .upcE].contains($0) } ?? false
        case .gs1: return barcode.format.map { GS1.isAnnounced(by: barcode.symbologyIdentifier, $0) } ?? false
        case .text: return false
        default: break
        }
        let text = (barcode.raw.map { Array($0.utf8) } ?? barcode.bytes)[...]
        // Control characters and a licence's @ may stand before the mark.
        let start = text.drop { $0.isSpace || $0.isControl || $0 == UInt8(ascii: "@") || $0 >= 0x80 }
        return marks[format, default: []].contains { mark in
            start.after(ignoringCase: mark) != nil || mark.utf8.count >= 5 && start.contains(ignoringCase: mark)
        }
    }
}
