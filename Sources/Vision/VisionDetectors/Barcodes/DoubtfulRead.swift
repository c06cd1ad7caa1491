import CZXing
import Observations

extension Barcode {
    /// Whether one read is not enough. The check digit of a retail code lets one wrong guess in ten pass, and wrong guesses come where
    /// modules are small, where noise hides them and where the plain way gave nothing.
    func isDoubtful(_ way: LookingWay, in view: LumaView) -> Bool {
        guard let modules = format?.retailModules else { return false }
        let q = view.local(corners)
        let (x, y) = (
            (q.topRight.x + q.bottomRight.x - q.topLeft.x - q.bottomLeft.x) / 2,
            (q.topRight.y + q.bottomRight.y - q.topLeft.y - q.bottomLeft.y) / 2
        )
        let module = (x * x + y * y).squareRoot() / modules
        if module < 2 || way != .asItIs && way != .inverted { return true }
        var luma = view.luma
        return czx_bar_likeness(&luma, q.coordinates) < 0.95
    }
}

extension Barcode.Format {
    /// The width of EAN and UPC symbols.
    fileprivate var retailModules: Float? {
        switch self {
        case .ean13, .upcA: 95
        case .ean8: 67
        case .upcE: 51
        default: nil
        }
    }
}
