// SPDX-License-Identifier: Apache-2.0
// How well the picture of an EAN or UPC symbol shows a value, beside all other values.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"

#include <cstdint>
#include <string_view>

namespace glimpse {

/// By how much `digits` fits the bars within `symbol` better than any other value with a right check digit. The margin
/// is the squared error of the best other value less its own, in units of its own error for each digit. A negative
/// margin says that another value fits better, and well.
///
/// On films of small noisy codes right values had 10 and more, wrong ones -0.8 and less. Bent paper gives little above
/// 0.
///
/// Each digit is a template of seven modules, blurred as the picture is, compared with the mean of many lines across
/// the bars. Source: Gallo and Manduchi, "Reading 1D Barcodes with Mobile Phones Using Deformable Templates", 2011.
///
/// ZXing looks at the edges of single lines. So it takes a wrong value for a right one where noise or compression moves
/// an edge.
///
/// `format`: CZX_EAN_13, CZX_EAN_8, CZX_UPC_A or CZX_UPC_E. `digits`: 13, 8, 12 or 8 of them. Returns 0 where the
/// picture does not say: another format, bars that leave the picture, paper so bent that no value fits. Takes about 0.3
/// ms.
float retailMargin(const Luma &luma, const Quad &symbol, uint32_t format, std::string_view digits);

} // namespace glimpse
