// SPDX-License-Identifier: Apache-2.0
// The height of a linear symbol that was read on one scan line.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"

namespace glimpse {

/// Follows the bars up and down from the scan line while the luma along parallel lines correlates with it. Each half is
/// followed on its own, so that slanted ends come out. The result is at least one pixel high.
///
/// `start`, `end`: of the scan line, in picture pixels and reading direction.
Quad linearExtent(const Luma &luma, Point start, Point end);

/// Whether the paper goes on for a little beyond both ends of a linear symbol, on its middle line. If bars go on there,
/// only part of a symbol was read. Beyond the picture's edge there is paper.
///
/// The length is 4 % of the width, at most `longest` pixels.
bool hasQuietZones(const Luma &luma, const Quad &symbol, float longest);

/// Whether bars stand all the way from one linear symbol to the other: then the two are parts of one, that bends.
bool areConnected(const Luma &luma, const Quad &a, const Quad &b);

} // namespace glimpse
