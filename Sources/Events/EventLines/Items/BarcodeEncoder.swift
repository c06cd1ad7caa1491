// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import JSONLines
import Observations

/// Encodes barcodes and caches the encoded members of each payload. A payload is parsed, redacted and encoded when it
/// is first seen, not once per frame. Each lane has its own encoder.
public struct BarcodeEncoder: Sendable {
    /// The payloads and bytes that one generation holds. A payload not seen during a whole generation is removed.
    static let (generationPayloads, generationBytes) = (64, 256 << 10)

    private let reporting: BarcodeReporting
    private var recent: [Payload: [UInt8]] = [:]
    private var older: [Payload: [UInt8]] = [:]
    private var recentBytes = 0
    /// The number of payloads parsed so far.
    private(set) var parsed = 0
    /// The number of payloads in the cache.
    var remembered: Int { recent.count + older.count }

    /// The redactions hold for every payload that the encoder ever writes.
    public init(_ reporting: BarcodeReporting = BarcodeReporting()) {
        self.reporting = reporting
    }

    /// Writes the members of the barcode's object except `reads`.
    mutating func encode(_ barcode: Barcode, to json: inout JSONWriter, isCut: Bool) {
        if barcode.format == nil {
            // The symbol was located but not read, so it has no payload.
        } else if isCut {
            barcode.encodePayload(reporting.content(of: barcode), to: &json, isCut: true)
        } else {
            json.members(raw: payload(of: barcode))
        }
        barcode.encodeReading(to: &json)
    }

    private mutating func payload(of barcode: Barcode) -> [UInt8] {
        let key = Payload(barcode)
        if let known = recent[key] { return known }
        let members = older[key] ?? newPayload(of: barcode)
        if recent.count >= Self.generationPayloads || recentBytes > Self.generationBytes {
            swap(&recent, &older)
            recent.removeAll(keepingCapacity: true)
            recentBytes = 0
        }
        recent[key] = members
        recentBytes += members.count + barcode.bytes.count
        return members
    }

    private mutating func newPayload(of barcode: Barcode) -> [UInt8] {
        parsed += 1
        var writer = JSONWriter()
        barcode.encodePayload(reporting.content(of: barcode), to: &writer, isCut: false)
        return writer.bytes
    }
}

/// The cache key: the content of a barcode, its add-on, and all that its meaning depends on. Equal bytes can be
/// different text in another character set.
private struct Payload: Hashable {
    let format: Barcode.Format?
    let symbologyIdentifier: String
    let raw: String?
    let bytes: [UInt8]
    let addOn: String?

    init(_ barcode: Barcode) {
        format = barcode.format
        symbologyIdentifier = barcode.symbologyIdentifier
        raw = barcode.raw
        bytes = barcode.bytes
        addOn = barcode.addOn
    }

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
