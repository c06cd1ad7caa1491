import BarcodeValues
import JSONLines
import Observations

/// Writes barcodes, and remembers what it wrote of each payload: a payload is parsed, redacted and encoded when it is first seen, not once
/// a frame. One for each lane.
public struct BarcodeEncoder: Sendable {
    /// Payloads and bytes that one generation holds; what was not seen during a whole one is forgotten.
    static let (generationPayloads, generationBytes) = (64, 256 << 10)

    private let reporting: BarcodeReporting
    private var recent: [Payload: [UInt8]] = [:]
    private var older: [Payload: [UInt8]] = [:]
    private var recentBytes = 0
    /// Payloads that were parsed so far.
    private(set) var parsed = 0
    /// Payloads that are kept now.
    var remembered: Int { recent.count + older.count }

    public init(_ reporting: BarcodeReporting = BarcodeReporting()) {
        self.reporting = reporting
    }

    /// The members of the barcode's object but `reads`.
    mutating func encode(_ barcode: Barcode, to json: inout JSONWriter, isCut: Bool) {
        if barcode.format == nil {
            // It was located, not read: there is no payload.
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

/// What a barcode says, with its add-on, and what its meaning depends on. Equal bytes may be other text in another character set.
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
