// SPDX-License-Identifier: Apache-2.0
import CZXing
import Observations

/// The evidence of the frames so far for one unread linear code: the mean of the lines across its bars. EAN and UPC are
/// read from it by likelihood, Code 128 and ITF by the decoder after sharpening.
final class SymbolEvidence {
    private let evidence: OpaquePointer

    init?() {
        guard let evidence = czx_evidence_create() else { return nil }
        self.evidence = evidence
    }

    deinit { czx_evidence_destroy(evidence) }

    /// Begins anew with the bars at a place.
    ///
    /// - Returns: a strip across the bars, in pixels of the luma; nil: there are no bars.
    func begin(at box: Box, in luma: czx_luma) -> Quadrilateral? {
        var (luma, place) = (luma, czx_rect(box))
        var corners = [Float](repeating: 0, count: 8)
        guard czx_evidence_begin(evidence, &luma, &place, &corners) == 1, corners.allSatisfy(\.isFinite) else {
            return nil
        }
        return Quadrilateral(coordinates: corners)
    }

    /// Adds a frame that shows the strip there.
    ///
    /// - Returns: the number of frames that add up; 1: something else stands there now.
    func add(_ strip: Quadrilateral, in luma: czx_luma) -> Int {
        var luma = luma
        return Int(czx_evidence_add(evidence, &luma, strip.coordinates))
    }

    /// Reads the frames so far.
    ///
    /// - Returns: the symbol in pixels of the last frame's luma, once the frames show it clearly. The margin is by how
    ///   much the likeliest value of EAN and UPC leads.
    func read(formats: UInt32) -> (symbol: Barcode?, margin: Float) {
        var symbol = czx_symbol()
        var margin: Float = 0
        var arena = [UInt8](repeating: 0, count: 512)
        guard czx_evidence_read(evidence, formats, &symbol, &arena, arena.count, &margin) == 1 else {
            return (nil, margin)
        }
        return (Barcode(symbol, arena: arena), margin)
    }
}
