// SPDX-License-Identifier: Apache-2.0
import CZXing
import Observations

extension Barcode.Format {
    /// The reader's bit for this symbology.
    var mask: UInt32 {
        let bit =
            switch self {
            case .qrCode: CZX_QR_CODE
            case .microQRCode: CZX_MICRO_QR_CODE
            case .aztec: CZX_AZTEC
            case .dataMatrix: CZX_DATA_MATRIX
            case .pdf417: CZX_PDF417
            case .maxiCode: CZX_MAXI_CODE
            case .code128: CZX_CODE_128
            case .code39: CZX_CODE_39
            case .code93: CZX_CODE_93
            case .codabar: CZX_CODABAR
            case .itf: CZX_ITF
            case .ean8: CZX_EAN_8
            case .ean13: CZX_EAN_13
            case .upcA: CZX_UPC_A
            case .upcE: CZX_UPC_E
            case .dataBar: CZX_DATABAR
            case .dataBarExpanded: CZX_DATABAR_EXPANDED
            case .dataBarLimited: CZX_DATABAR_LIMITED
            case .dxFilmEdge: CZX_DX_FILM_EDGE
            case .microPDF417: CZX_MICRO_PDF417
            case .rectangularMicroQRCode: CZX_RMQR_CODE
            case .telepen: CZX_TELEPEN
            }
        return UInt32(bit)
    }

    init?(mask: UInt32) {
        guard let format = Self.allCases.first(where: { $0.mask == mask }) else { return nil }
        self = format
    }
}
