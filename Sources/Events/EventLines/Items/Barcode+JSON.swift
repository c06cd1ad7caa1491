// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import JSONLines
import Observations
import SHA2

extension FieldName {
    package static var format: FieldName { FieldName("format") }
    package static var raw: FieldName { FieldName("raw") }
    package static var addOn: FieldName { FieldName("add_on") }
    package static var display: FieldName { FieldName("display") }
    package static var truncated: FieldName { FieldName("truncated") }
    package static var redacted: FieldName { FieldName("redacted") }
    package static var valueFormat: FieldName { FieldName("value_format") }
    package static var rawBytes: FieldName { FieldName("raw_bytes") }
    package static var rawSHA256: FieldName { FieldName("raw_sha256") }
    package static var rawBase64: FieldName { FieldName("raw_base64") }
    package static var orientation: FieldName { FieldName("orientation") }
    package static var symbologyID: FieldName { FieldName("symbology_id") }
    package static var errorCorrectionLevel: FieldName { FieldName("ec_level") }
    package static var inverted: FieldName { FieldName("inverted") }
    package static var followed: FieldName { FieldName("followed") }
    package static var evidenceFrames: FieldName { FieldName("evidence_frames") }
    package static var corners: FieldName { FieldName("corners") }
}

extension Barcode {
    /// Writes the members that seldom change between reads: the format, the payload with its meaning, and the add-on.
    ///
    /// - Parameter isCut: whether the payload is replaced by its beginning, its size and its hash.
    func encodePayload(_ content: BarcodeContent, to json: inout JSONWriter, isCut: Bool) {
        if let format { json.member(.format, format.rawValue) }
        let isRedacted = !content.redacted.isEmpty
        if !isRedacted { encodeRaw(to: &json, isCut: isCut) }
        if !isRedacted, let addOn { json.member(.addOn, addOn) }
        if let display = content.display { json.member(.display, isCut ? display.cutForLine : display) }
        if isCut { json.member(.truncated, true) }
        if isRedacted {
            json.array(.redacted) { json in
                for name in content.redacted { json.element(name) }
            }
        }
        guard let valueFormat = content.format else { return }
        json.member(.valueFormat, valueFormat.rawValue)
        if !isCut, let fields = content.fields, !fields.isEmpty {
            json.object(dynamicKey: valueFormat.rawValue) { fields.encode(to: &$0) }
        }
    }

    private func encodeRaw(to json: inout JSONWriter, isCut: Bool) {
        if let raw { json.member(.raw, isCut ? raw.cutForLine : raw) }
        if isCut {
            json.member(.rawBytes, bytes.count)
            json.member(.rawSHA256, SHA256.hexDigest(bytes))
        } else {
            json.member(FieldName.rawBase64.text, base64: bytes)
        }
    }

    /// Writes the members that may change with each read.
    func encodeReading(to json: inout JSONWriter) {
        json.member(.orientation, orientation)
        if !symbologyIdentifier.isEmpty { json.member(.symbologyID, symbologyIdentifier) }
        if let errorCorrectionLevel { json.member(.errorCorrectionLevel, errorCorrectionLevel) }
        if mirrored { json.member(.mirrored, true) }
        if inverted { json.member(.inverted, true) }
        if isFollowed { json.member(.followed, true) }
        if let evidenceFrames { json.member(.evidenceFrames, evidenceFrames) }
    }
}

extension String {
    /// The first 2,048 bytes: even with every byte escaped, two such texts are far shorter than a line.
    fileprivate var cutForLine: String { cut(toUTF8: 2048) }

    /// The longest prefix of whole Unicode scalars with at most `limit` bytes.
    func cut(toUTF8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
