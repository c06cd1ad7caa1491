// SPDX-License-Identifier: Apache-2.0
import CZXing
import Detectors
import Observations

/// Draws symbols, for the demo's scene and for tests.
package enum SymbolWriter {
    /// One byte a module, 0 black and 255 white, row by row. Linear symbols have rows enough for bars of a fifth of the
    /// width.
    package struct Modules: Sendable, Equatable {
        package let columns: Int
        package let rows: Int
        package let modules: [UInt8]
    }

    private static let largestSymbol = 1 << 20

    /// - Parameter quietZone: white modules on each side.
    package static func draw(_ text: String, as format: Barcode.Format, quietZone: Int) throws(DetectorError) -> Modules
    {
        var modules = [UInt8](repeating: 255, count: largestSymbol)
        var (columns, rows): (Int32, Int32) = (0, 0)
        var status: Int32 = 0
        let complaint = withErrorText { error, capacity in
            status = czx_write(
                format.mask, text, Int32(quietZone), &modules, modules.count, &columns, &rows, error, capacity)
        }
        guard status == 0 else { throw DetectorError("cannot draw \(format.rawValue): \(complaint)") }
        return Modules(
            columns: Int(columns), rows: Int(rows), modules: Array(modules.prefix(Int(columns) * Int(rows))))
    }
}
