// SPDX-License-Identifier: Apache-2.0
/// A symbol that was read, followed from an earlier read, or only located.
public struct Barcode: Sendable, Equatable, Codable {
    /// nil for a symbol that was only located.
    public var format: Format?
    /// The text as ISO readers transmit it, without symbology identifier; nil when the bytes are not text.
    public var raw: String?
    /// The exact payload; empty for a symbol that was only located.
    public var bytes: [UInt8]
    /// The two or five digits beside an EAN or UPC symbol, where they were read. No part of the payload.
    public var addOn: String?
    /// The corners, in the symbol's own order.
    public var corners: Quadrilateral
    /// Degrees clockwise in -180...180; 0 is upright.
    public var orientation: Float
    /// ISO/IEC 15424, such as `]Q1`.
    public var symbologyIdentifier: String
    /// Error correction level, as the symbology writes it; nil where it has none.
    public var errorCorrectionLevel: String?
    /// Whether the symbol is a mirror image.
    public var mirrored: Bool
    /// Whether the symbol is light on dark.
    public var inverted: Bool
    /// Not decoded in this frame: it looks like the symbol that was read before, and is where that one should be.
    public var isFollowed: Bool
    /// The number of frames that show a symbol together, if no frame showed it well enough alone.
    public var evidenceFrames: Int?

    /// The defaults are those of an upright symbol that was decoded in its own frame.
    public init(
        format: Format?, raw: String?, bytes: [UInt8], addOn: String? = nil, corners: Quadrilateral,
        orientation: Float = 0, symbologyIdentifier: String = "", errorCorrectionLevel: String? = nil,
        mirrored: Bool = false, inverted: Bool = false, isFollowed: Bool = false,
        evidenceFrames: Int? = nil
    ) {
        self.format = format
        self.raw = raw
        self.bytes = bytes
        self.addOn = addOn
        self.corners = corners
        self.orientation = orientation
        self.symbologyIdentifier = symbologyIdentifier
        self.errorCorrectionLevel = errorCorrectionLevel
        self.mirrored = mirrored
        self.inverted = inverted
        self.isFollowed = isFollowed
        self.evidenceFrames = evidenceFrames
    }

    /// Symbologies under the names that events and configuration use.
    public enum Format: String, Sendable, Codable, CaseIterable {
        case qrCode = "qr_code"
        case microQRCode = "micro_qr_code"
        case aztec
        case dataMatrix = "data_matrix"
        case pdf417
        case maxiCode = "maxi_code"
        case code128 = "code_128"
        case code39 = "code_39"
        case code93 = "code_93"
        case codabar
        case itf
        case ean8 = "ean_8"
        case ean13 = "ean_13"
        case upcA = "upc_a"
        case upcE = "upc_e"
        case dataBar = "databar"
        case dataBarExpanded = "databar_expanded"
        case dataBarLimited = "databar_limited"
        case dxFilmEdge = "dx_film_edge"
        case microPDF417 = "micro_pdf417"
        case rectangularMicroQRCode = "rmqr_code"
        case telepen
    }
}
