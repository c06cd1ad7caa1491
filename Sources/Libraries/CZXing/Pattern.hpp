// SPDX-License-Identifier: Apache-2.0
// Follows a symbol from picture to picture by what it looks like, without reading it.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"

#include <array>
#include <vector>

namespace glimpse {

/// x' = a x + b y + c, y' = d x + e y + f.
struct Affine {
    float a = 1, b = 0, c = 0, d = 0, e = 1, f = 0;
    Point operator()(Point p) const { return {a * p.x + b * p.y + c, d * p.x + e * p.y + f}; }
};

/// The luma of a quadrilateral as it was learned, and its place in another picture. The method is image alignment by
/// the inverse compositional method with affine warps on two levels (Baker, Matthews: "Lucas-Kanade 20 Years On", IJCV
/// 2004). Samples are brought to zero mean and unit variance, so that light does not matter.
class Pattern {
public:
    /// False when there is nothing to follow: less than 8 pixels wide, beyond the picture, or an even surface.
    bool learn(const Luma &luma, const Quad &quad);

    struct Place {
        Quad quad{};
        float likeness = 0; ///< normalised correlation of the quadrilateral's inside with what was learned, -1 to 1
    };
    /// Looks around `start`, where the quadrilateral is thought to be. A likeness of 0: it was lost.
    Place find(const Luma &luma, const Quad &start);

private:
    struct Sample {
        Point place;          ///< picture pixels from the middle
        float value = 0;      ///< of zero mean and unit variance
        std::array<float, 6> descent{};
        bool isInside = false; ///< of the quadrilateral; the others are its quiet zone
    };
    struct Level {
        float target = 0; ///< length of the longer side in pixels of the level
        int mostRows = 0;
        std::vector<Sample> samples;
        std::array<float, 36> inverse{}; ///< of the Gauss-Newton approximation of the Hessian
    };
    /// A reduced copy of a part of the picture.
    struct Reduced {
        std::vector<float> pixels;
        int width = 0, height = 0, factor = 1;
        Point origin;
        void make(const Luma &luma, const Rect &rect, int factor);
        bool sample(Point picture, float &out) const;
    };

    bool learn(Level &level, const Luma &luma) const;
    float align(const Level &level, const Luma &luma, Affine &warp, int iterations);
    float shifted(const Level &level, const Luma &luma, Affine &warp, int most);
    bool show(const Level &level, const Luma &luma, const Affine &warp, float reach);
    float correlate(const Level &level, const Affine &warp, bool insideOnly);
    float normalise(const Level &level, const Affine &warp);

    Quad quad_{};
    Point middle_;
    float size_ = 0;
    Level coarse_, fine_;
    Reduced reduced_;
    std::vector<float> seen_;
    std::vector<uint8_t> isSeen_;
};

} // namespace glimpse
