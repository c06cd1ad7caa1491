// SPDX-License-Identifier: Apache-2.0
// Whether a place that was not read is printed like a code: stricter than the search, which only wants to miss none.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"

namespace glimpse {

/// Dark bars or modules of two tones on lighter paper, with a quiet zone around them and no period. Fences, stripes,
/// keyboards, text and hair lack one of these. About 50 microseconds where everything is looked at.
bool looksLikeCode(const Luma &luma, const Rect &rect);

} // namespace glimpse
