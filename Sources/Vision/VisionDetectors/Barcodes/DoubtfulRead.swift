// SPDX-License-Identifier: Apache-2.0
import CZXing
import Observations

extension Barcode {
    /// The margin of a retail code's value over all others that is enough for one read. Right values of small noisy
    /// codes have 10 and more.
    private static let certainMargin: Float = 5

    /// Whether one read is not enough: the bars do not show clearly that the value is this one. The check digit of a
    /// retail code lets one wrong guess in ten pass.
    func isDoubtful(in view: LumaView) -> Bool {
        guard let format, format.isRetail else { return false }
        var luma = view.luma
        return czx_retail_margin(&luma, format.mask, bytes, bytes.count, view.local(corners).coordinates)
            < Self.certainMargin
    }
}

extension Barcode.Format {
    fileprivate var isRetail: Bool {
        switch self {
        case .ean13, .ean8, .upcA, .upcE: true
        default: false
        }
    }
}
