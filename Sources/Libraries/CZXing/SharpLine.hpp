// SPDX-License-Identifier: Apache-2.0
// Reads a line across the bars of a symbol that is too blurred or too small for the decoder.
#pragma once

#include "CZXing.h"
#include "Decoder.hpp"

#include <optional>
#include <vector>

namespace glimpse {

/// Symbologies that are read so: cartons and parts.
constexpr uint32_t sharpenedFormats = CZX_CODE_128 | CZX_ITF;

/// The symbol that the decoder reads from the line after unsharp masking (Gonzalez and Woods, Digital Image Processing,
/// 3.6.3). This adds a multiple of the part that a Gaussian takes from the line. No multiple suits every blur, so
/// several are tried. Two of them must give the same value, and none another one. `quad` has the ends of the bars as
/// shares of the line in its `x`.
///
/// `pixel`: the width of one pixel of the picture, in samples. Takes about 0.1 ms.
std::optional<Symbol> readSharpened(const std::vector<float> &line, float pixel, uint32_t formats);

} // namespace glimpse
