import Observations

/// What a barcode's text is, as far as it is certain without parsing.
enum BarcodeValueFormat: String {
    case isbn, product, text, url
}

extension Barcode {
    /// nil when the payload is not text.
    var valueFormat: BarcodeValueFormat? {
        guard let raw else { return nil }
        switch format {
        // Prefixes 978 and 979 of EAN-13 are Bookland (ISO 2108).
        case .ean13 where raw.hasPrefix("978") || raw.hasPrefix("979"): return .isbn
        case .ean8, .ean13, .upcA, .upcE: return .product
        default: return raw.isWebAddress ? .url : .text
        }
    }
}

extension String {
    /// Schemes are case-insensitive (RFC 3986, 3.1), and QR codes save space with capitals.
    fileprivate var isWebAddress: Bool {
        let start = prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
