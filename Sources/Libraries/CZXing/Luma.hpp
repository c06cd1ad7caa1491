// SPDX-License-Identifier: Apache-2.0
// Views of 8-bit luma.
#pragma once

#include "Geometry.hpp"

#include <cstddef>
#include <cstdint>

namespace glimpse {

/// A rectangle of luma that somebody else owns.
struct Luma {
    const uint8_t *pixels = nullptr;
    int width = 0, height = 0;
    std::ptrdiff_t stride = 0;

    const uint8_t *row(int y) const { return pixels + y * stride; }
    uint8_t at(int x, int y) const { return row(y)[x]; }
    Rect rect() const { return {0, 0, width, height}; }
    /// `r` lies inside.
    Luma cropped(const Rect &r) const { return {row(r.top) + r.left, r.width(), r.height(), stride}; }
};

} // namespace glimpse
