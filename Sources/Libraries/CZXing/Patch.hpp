// SPDX-License-Identifier: Apache-2.0
// A part of the picture as the decoder is to see it: cropped, turned, scaled, inverted, with read symbols painted over.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"

#include <cstdint>
#include <vector>

namespace glimpse {

struct View {
    Rect rect;          ///< picture pixels; what the patch shows
    float scale = 1;    ///< patch pixels per picture pixel
    float angle = 0;    ///< degrees clockwise; the patch shows this direction of the picture as its x axis
    bool inverted = false;
};

/// Bilinear; paper outside of the picture.
uint8_t interpolated(const Luma &luma, Point p);

/// Keeps its memory from patch to patch.
class Patch {
public:
    /// Makes `luma()` show `view` without the `hidden` symbols. No pixel is copied when the view is a plain rectangle
    /// that touches none of them.
    void show(const Luma &picture, const View &view, const std::vector<Quad> &hidden);

    const Luma &luma() const { return luma_; }
    Point toPicture(Point p) const { return origin_ + p.x * xAxis_ + p.y * yAxis_; }
    Quad toPicture(const Quad &q) const {
        return {toPicture(q[0]), toPicture(q[1]), toPicture(q[2]), toPicture(q[3])};
    }

private:
    void copy(const Luma &picture, const View &view);
    void enlarge(const Luma &picture, const View &view); ///< by two, bilinear
    void resample(const Luma &picture, const View &view);
    void hide(const Quad &quad);

    Luma luma_;
    Point origin_, xAxis_{1, 0}, yAxis_{0, 1};
    std::vector<uint8_t> pixels_;
};

} // namespace glimpse
