// SPDX-License-Identifier: Apache-2.0
// The soft decoder: reads EAN and UPC symbols that are too blurred, noisy or small for scan lines.
#pragma once

#include "RetailLine.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace glimpse {

/// The soft decoder's reading of a line.
struct RetailRead {
    uint32_t format = 0; ///< CZX_EAN_13, CZX_EAN_8 or CZX_UPC_E; 0: nothing
    std::string digits;
    bool isReversed = false;
    float margin = 0;       ///< see `marginOf`
    float error = 0;        ///< squared, of a sample, in units of the bars' contrast
    float blur = 0;         ///< modules
    float from = 0, to = 1; ///< the bars' ends as shares of the line, in reading direction
};

/// The value that a line across the bars shows, without a search for edges.
///
/// After Gallo and Manduchi, "Reading 1D Barcodes with Mobile Phones Using Deformable Templates", IEEE PAMI 33/9, 2011.
///
/// A digit is a template: seven modules, blurred by a Gaussian. How little it differs from its place on the line, as a
/// sum of squares, is its likelihood where noise is Gaussian. The steps:
///
/// 1. Each format, direction and span is a hypothesis. Its places slide along the line, neighbours almost alike, until
///    the best template of each fits as well as it can (Viterbi). That finds bars to three modules, and how the paper
///    bends. Where one half of the bars is wider than the other, a second hypothesis begins with that bend.
/// 2. The best hypotheses are decoded. First come the digits with the least sum of squares that the check digit and the
///    parity pattern allow (`bestValue`). Then come light, blur and bend of these digits' bars; then digits again,
///    until they stay.
/// 3. The margin says how far the best value leads before the second one (`marginOf`). A symbol has paper on both
///    sides.
///
/// `spans`: where the bars may begin and end, as shares of the line. `formats`: that are wanted. Takes about 1 ms.
RetailRead readRetail(const Line &line, const std::vector<std::pair<float, float>> &spans, uint32_t formats);

} // namespace glimpse
