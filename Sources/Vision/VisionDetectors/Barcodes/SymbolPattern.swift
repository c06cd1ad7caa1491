// SPDX-License-Identifier: Apache-2.0
import CZXing
import Observations

/// The appearance of a symbol when it was last learned, to find it in later frames.
final class SymbolPattern {
    private let pattern: OpaquePointer

    init?() {
        guard let pattern = czx_pattern_create() else { return nil }
        self.pattern = pattern
    }

    deinit { czx_pattern_destroy(pattern) }

    /// Learns the quadrilateral (pixels of the luma). False: there is nothing to follow.
    func learn(_ quad: Quadrilateral, in luma: czx_luma) -> Bool {
        var luma = luma
        let corners = quad.coordinates
        return czx_pattern_learn(pattern, &luma, corners) == 1
    }

    /// Looks around `start` for it.
    ///
    /// - Returns: where it is and how like it is to what was learned, 0...1; nil when it is lost.
    func find(near start: Quadrilateral, in luma: czx_luma) -> (quad: Quadrilateral, likeness: Float)? {
        var luma = luma
        let corners = start.coordinates
        var found = [Float](repeating: 0, count: 8)
        let likeness = czx_pattern_find(pattern, &luma, corners, &found)
        guard likeness > 0, found.allSatisfy(\.isFinite) else { return nil }
        return (Quadrilateral(coordinates: found), likeness)
    }
}
