// SPDX-License-Identifier: Apache-2.0
// A line across the bars of a symbol, and the light that falls on it.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"
#include "RetailModules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace glimpse {

constexpr int mostLines = 24;  // across the bars
constexpr float heightShare = 0.7f; // of the symbol's height, around the middle: lines whose mean is looked at

/// The mean of lines across the bars.
class Line {
public:
    /// A symbol of so many modules. False if it is not wholly in the picture.
    bool take(const Luma &luma, const Quad &symbol, int modules) {
        for (Point p : symbol)
            if (std::max({-p.x, -p.y, p.x - float(luma.width), p.y - float(luma.height)}) > 4) return false;
        take(luma, symbol, 2 * perModule * modules, 4 / float(modules), heightShare);
        return true;
    }

    /// `samples`: of the width. `margin`: taken beyond each end, as a share of the width; paper beyond the picture's
    /// edge is as at the edge. `share`: of the height, around the middle.
    void take(const Luma &luma, const Quad &quad, int samples, float margin, float share) {
        margin_ = margin, finest_ = samples;
        float tall = 0.5f * (length(quad[3] - quad[0]) + length(quad[2] - quad[1]));
        int count = std::clamp(int(share * tall), 1, mostLines);
        samples_.assign(size_t(float(finest_) * (1 + 2 * margin_)) + 2, 0);
        for (int i = 0; i < count; ++i) {
            float v = 0.5f + share * ((float(i) + 0.5f) / float(count) - 0.5f);
            add(luma, quad[0] + v * (quad[3] - quad[0]), quad[1] + v * (quad[2] - quad[1]));
        }
        for (float &v : samples_) v /= float(count);
    }

    /// Where the samples of a symbol stand, as shares of the line. The first bar begins at `from`, and the last one
    /// ends at `to`. Between them, paper that bends moves each place u (0...1) by a polynomial of u.
    struct Placing {
        float from = 0, to = 1;
        std::array<float, 4> bend{}; ///< shares of the symbol's width
        float operator()(float u) const {
            return from + (to - from) * (u + bend[0] + u * (bend[1] + u * (bend[2] + u * bend[3])));
        }
    };

    /// `out.size()` samples, evenly from place `-paper` to place 1 + `paper`.
    void sample(const Placing &placing, float paper, std::vector<float> &out) const {
        float step = (1 + 2 * paper) / float(out.size());
        for (size_t i = 0; i < out.size(); ++i) {
            float at = (placing((float(i) + 0.5f) * step - paper) + margin_) * float(finest_);
            at = std::clamp(at, 0.0f, float(samples_.size() - 2));
            size_t k = size_t(at);
            out[i] = samples_[k] + (at - float(k)) * (samples_[k + 1] - samples_[k]);
        }
    }

    /// Where the line ends, as a share of the symbol's width. Beyond it, `sample` repeats the last luma.
    float end() const { return 1 + margin_; }

    /// A line that was sampled before.
    void take(std::vector<float> samples) { samples_ = std::move(samples), margin_ = 0, finest_ = int(samples_.size()) - 1; }

    /// As it is read from the other end.
    Line reversed() const {
        Line other = *this;
        std::reverse(other.samples_.begin(), other.samples_.end());
        return other;
    }

private:
    void add(const Luma &luma, Point a, Point b) {
        Point step = (1 / float(finest_)) * (b - a), start = a - margin_ * (b - a);
        for (size_t k = 0; k < samples_.size(); ++k) {
            Point p = start + float(k) * step;
            float x = p.x - 0.5f, y = p.y - 0.5f;
            x = std::clamp(x, 0.0f, float(luma.width - 1)), y = std::clamp(y, 0.0f, float(luma.height - 1));
            int ix = std::min(int(x), std::max(0, luma.width - 2)), iy = std::min(int(y), std::max(0, luma.height - 2));
            float fx = x - float(ix), fy = y - float(iy);
            int right = luma.width > 1 ? 1 : 0;
            const uint8_t *top = luma.row(iy) + ix, *bottom = luma.row(std::min(iy + 1, luma.height - 1)) + ix;
            float upper = top[0] + fx * float(top[right] - top[0]), lower = bottom[0] + fx * float(bottom[right] - bottom[0]);
            samples_[k] += upper + fy * (lower - upper);
        }
    }

    std::vector<float> samples_;
    float margin_ = 0; // beyond each end, as a share of the width
    int finest_ = 1;   // samples of the symbol's width
};

/// Least squares of line = base + slope * x + contrast * model; the squared error that is left.
struct Light {
    float base = 0, slope = 0, contrast = 0, error = INFINITY;

    static Light of(const std::vector<float> &line, const std::vector<float> &model) {
        double n = double(line.size()), sx = 0, sxx = 0, sm = 0, smm = 0, sxm = 0, sl = 0, sll = 0, sxl = 0, sml = 0;
        for (size_t i = 0; i < line.size(); ++i) {
            double x = double(i) / n - 0.5, m = model[i], l = line[i];
            sx += x, sxx += x * x, sm += m, smm += m * m, sxm += x * m, sl += l, sll += l * l, sxl += x * l, sml += m * l;
        }
        // The sums of model and line without their means and slopes.
        double xx = sxx - sx * sx / n, xm = sxm - sx * sm / n, xl = sxl - sx * sl / n;
        double mm = smm - sm * sm / n - xm * xm / xx, ml = sml - sm * sl / n - xm * xl / xx;
        double ll = sll - sl * sl / n - xl * xl / xx;
        Light light;
        if (mm <= 0) return light;
        light.contrast = float(ml / mm);
        light.slope = float((xl - light.contrast * xm) / xx);
        light.base = float((sl - light.contrast * sm - light.slope * sx) / n);
        light.error = float(std::max(0.0, ll - ml * ml / mm));
        return light;
    }
};

} // namespace glimpse
