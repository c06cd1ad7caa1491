// SPDX-License-Identifier: Apache-2.0
// The mean of all lines across the bars: a second opinion on a short Codabar symbol that few scan lines gave.
#pragma once

#include "Decoder.hpp"

namespace glimpse {

/// Whether so few scan lines agree on a symbol that the mean of all lines across its bars must give its value too.
/// `height`: of the picture, which may have fewer lines than a count asks for.
bool needsMeanLine(const Symbol &symbol, int height);

/// Whether all lines across the bars together give the value that few scan lines gave. Few lines cross a tilted symbol
/// from end to end, but the bars are as high as those of a level one.
bool isBorneOut(const Luma &luma, const Symbol &symbol);

} // namespace glimpse
