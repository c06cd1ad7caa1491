import BarcodeValues
import Observations
import SHA2

extension Barcode {
    /// The members that seldom change from read to read: format, payload and its meaning, add-on.
    ///
    /// - Parameter isCut: whether the payload gives way to its beginning, its size and its hash.
    func encodePayload(_ content: BarcodeContent, to json: inout JSONWriter, isCut: Bool) {
        if let format { json.member("format", format.rawValue) }
        let isRedacted = !content.redacted.isEmpty
        if !isRedacted { encodeRaw(to: &json, isCut: isCut) }
        if !isRedacted, let addOn { json.member("add_on", addOn) }
        if let display = content.display { json.member("display", isCut ? display.cutForLine : display) }
        if isCut { json.member("truncated", true) }
        if isRedacted {
            json.array("redacted") { json in
                for name in content.redacted { json.element(name) }
            }
        }
        guard let valueFormat = content.format else { return }
        json.member("value_format", valueFormat.rawValue)
        if !isCut, let fields = content.fields, !fields.isEmpty {
            json.object(dynamicKey: valueFormat.rawValue) { fields.encode(to: &$0) }
        }
    }

    private func encodeRaw(to json: inout JSONWriter, isCut: Bool) {
        if let raw { json.member("raw", isCut ? raw.cutForLine : raw) }
        if isCut {
            json.member("raw_bytes", bytes.count)
            json.member("raw_sha256", SHA256.hexDigest(bytes))
        } else {
            json.member("raw_base64", base64: bytes)
        }
    }

    /// What may change from read to read.
    func encodeReading(to json: inout JSONWriter) {
        json.member("orientation", orientation)
        if !symbologyIdentifier.isEmpty { json.member("symbology_id", symbologyIdentifier) }
        if let errorCorrectionLevel { json.member("ec_level", errorCorrectionLevel) }
        if mirrored { json.member("mirrored", true) }
        if inverted { json.member("inverted", true) }
        if isFollowed { json.member("followed", true) }
    }
}

extension String {
    /// However it is escaped, twice that is far below a line.
    fileprivate var cutForLine: String { cut(toUTF8: 2048) }

    /// The longest beginning of whole Unicode scalars that has at most so many bytes.
    func cut(toUTF8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
