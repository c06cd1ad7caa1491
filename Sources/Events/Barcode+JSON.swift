import Observations

extension Barcode {
    /// Bytes of text that are left when a payload has to be cut: however they are escaped, twice that much is far below a line.
    private static let cutText = 2048

    /// - Parameter isCut: whether the payload gives way to its beginning, its size and its hash.
    func encode(to json: inout JSONWriter, isCut: Bool) {
        if let format { json.member("format", format.rawValue) }
        let text = isCut ? raw.map { $0.cut(toUTF8: Self.cutText) } : raw
        if let text { json.member("raw", text) }
        if isCut {
            json.member("raw_bytes", bytes.count)
            json.member("raw_sha256", SHA256.hexDigest(bytes))
        } else if !bytes.isEmpty {
            json.member("raw_base64", base64: bytes)
        }
        if let text { json.member("display", text) }
        if isCut { json.member("truncated", true) }
        if let valueFormat {
            json.member("value_format", valueFormat.rawValue)
            if valueFormat == .url, let text { json.object("url") { $0.member("url", text) } }
        }
        json.member("orientation", orientation)
        if !symbologyIdentifier.isEmpty { json.member("symbology_id", symbologyIdentifier) }
        if let errorCorrectionLevel { json.member("ec_level", errorCorrectionLevel) }
        if mirrored { json.member("mirrored", true) }
        if inverted { json.member("inverted", true) }
        if isFollowed { json.member("followed", true) }
    }
}

extension String {
    /// The longest beginning of whole Unicode scalars that has at most so many bytes.
    func cut(toUTF8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
