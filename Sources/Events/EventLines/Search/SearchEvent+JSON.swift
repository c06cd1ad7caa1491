// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations
import Search

extension FieldName {
    package static var progress: FieldName { FieldName("progress") }
    package static var search: FieldName { FieldName("search") }
    package static var crop: FieldName { FieldName("crop") }
    package static var quality: FieldName { FieldName("quality") }
    package static var brightness: FieldName { FieldName("brightness") }
    package static var contrast: FieldName { FieldName("contrast") }
    package static var sharpness: FieldName { FieldName("sharpness") }
    package static var outcome: FieldName { FieldName("outcome") }
    package static var results: FieldName { FieldName("results") }
    package static var retryable: FieldName { FieldName("retryable") }
    package static var hint: FieldName { FieldName("hint") }
    package static var code: FieldName { FieldName("code") }
    package static var help: FieldName { FieldName("help") }
    package static var title: FieldName { FieldName("title") }
    package static var picture: FieldName { FieldName("picture") }
    package static var payload: FieldName { FieldName("payload") }
}

extension EventEncoder {
    mutating func encode(_ event: SearchEvent) -> EncodedEvent {
        let frame = event.status.frame
        let body = write(.search, frame.time, frame.clock) { json, barcodes in
            event.encode(to: &json, barcodes: &barcodes)
        }
        return EncodedEvent(kind: .search, detector: event.detector, feature: event.kind, body: body)
    }
}

extension SearchEvent {
    /// The bytes that a line reserves for results, in addition to the object's own bytes.
    private static let maximumResultBytes = 40_000

    /// Writes the members of a search line after the envelope.
    fileprivate func encode(to json: inout JSONWriter, barcodes: inout BarcodeEncoder) {
        status.frame.encode(to: &json)
        json.member(.detector, detector)
        json.member(.kind, kind.rawValue)
        json.member(.state, status.state.rawValue)
        if let progress = status.progress { json.member(.progress, progress) }
        if let query = status.query { json.member(.search, query) }
        if let crop = status.crop { json.member(.crop, crop) }
        if let track = status.track { json.object(.track) { $0.member(.id, track.description) } }
        encodeObject(to: &json, barcodes: &barcodes)
        if let outcome = status.outcome { encode(outcome, to: &json) }
        status.hint.encode(help: status.help, to: &json)
        if let quality = status.quality {
            json.object(.quality) { json in
                json.member(.brightness, quality.brightness)
                json.member(.contrast, quality.contrast)
                json.member(.sharpness, quality.sharpness)
            }
        }
    }

    private func encodeObject(to json: inout JSONWriter, barcodes: inout BarcodeEncoder) {
        guard let detection = status.detection else { return }
        detection.box.encode(in: status.frame, to: &json)
        // A progress line does not need the object.
        guard status.query != nil else { return }
        guard detection.kind == .barcode || detection.kind == .object else { return }
        json.key(itemOf: detection.kind)
        json.object {
            detection.encodeItem(to: &$0, barcodes: &barcodes, isCut: detection.isLong)
        }
    }

    private func encode(_ outcome: SearchOutcome, to json: inout JSONWriter) {
        json.member(.outcome, outcome.name)
        switch outcome {
        case .results(let results):
            var (room, omitted) = (Self.maximumResultBytes, 0)
            json.array(.results) { json in
                for result in results {
                    let bytes = result.encoded
                    guard omitted == 0, bytes.count <= room else {
                        omitted += 1
                        continue
                    }
                    room -= bytes.count
                    json.element(raw: bytes)
                }
            }
            if omitted > 0 { json.member(.omitted, omitted) }
        case .failed(let failure):
            json.member(.reason, failure.reason.rawValue)
            json.member(.retryable, failure.retryable)
            if let message = failure.message { json.member(.error, message.cut(toUTF8: SearchLimits.textBytes)) }
        case .value, .noResults, .lowConfidence: break
        }
    }
}

extension SearchHint {
    /// Writes the member `hint`.
    func encode(help: String? = nil, to json: inout JSONWriter) {
        json.object(.hint) { json in
            json.member(.code, rawValue)
            json.member(.text, text)
            if let help { json.member(.help, help) }
        }
    }
}

extension SearchResult {
    fileprivate var encoded: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member(.id, id.cut(toUTF8: SearchLimits.textBytes))
            json.member(.title, title.cut(toUTF8: SearchLimits.textBytes))
            json.member(.confidence, min(1, max(0, confidence)))
            if let picture, picture.utf8.count <= SearchLimits.pictureBytes { json.member(.picture, picture) }
            if let payload, payload.utf8.count <= SearchLimits.payloadBytes {
                json.key(.payload)
                json.element(raw: payload.utf8)
            }
        }
        return json.bytes
    }
}

extension Detection {
    /// Whether the barcode's payload is so long that it leaves no room for results.
    fileprivate var isLong: Bool {
        if case .barcode(let barcode) = content { barcode.bytes.count > 1024 } else { false }
    }
}
