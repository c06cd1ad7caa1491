// What a line across the bars of a symbol looks like, and the light that falls on it.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace glimpse {

constexpr int perModule = 4;   // samples of a line
constexpr int mostLines = 24;  // across the bars
constexpr float heightShare = 0.7f; // of the symbol's height, around the middle: lines whose mean is looked at

/// The mean of lines across the bars.
class Line {
public:
    /// False if the symbol is not wholly in the picture. `modules`: of the symbol's width.
    bool take(const Luma &luma, const Quad &quad, int modules) {
        margin_ = 4 / float(modules), finest_ = 2 * perModule * modules;
        float tall = 0.5f * (length(quad[3] - quad[0]) + length(quad[2] - quad[1]));
        int count = std::clamp(int(heightShare * tall), 1, mostLines);
        samples_.assign(size_t(float(finest_) * (1 + 2 * margin_)) + 2, 0);
        for (int i = 0; i < count; ++i) {
            float v = 0.5f + heightShare * ((float(i) + 0.5f) / float(count) - 0.5f);
            if (!add(luma, quad[0] + v * (quad[3] - quad[0]), quad[1] + v * (quad[2] - quad[1]))) return false;
        }
        for (float &v : samples_) v /= float(count);
        return true;
    }

    /// From one share of the symbol's width to another, the middle moved by `bend`, into as many samples as `out` has.
    void between(float from, float to, float bend, std::vector<float> &out) const {
        float step = (to - from) / float(out.size());
        for (size_t i = 0; i < out.size(); ++i) {
            float u = from + (float(i) + 0.5f) * step;
            float at = (u + 4 * bend * u * (1 - u) + margin_) * float(finest_);
            at = std::clamp(at, 0.0f, float(samples_.size() - 2));
            size_t k = size_t(at);
            out[i] = samples_[k] + (at - float(k)) * (samples_[k + 1] - samples_[k]);
        }
    }

private:
    bool add(const Luma &luma, Point a, Point b) {
        Point step = (1 / float(finest_)) * (b - a), start = a - margin_ * (b - a);
        for (size_t k = 0; k < samples_.size(); ++k) {
            Point p = start + float(k) * step;
            float x = p.x - 0.5f, y = p.y - 0.5f;
            // Paper beyond the picture's edge is as at the edge.
            float outside = std::max({-x, -y, x - float(luma.width - 1), y - float(luma.height - 1)});
            if (outside > 4 + margin_ * length(b - a)) return false;
            x = std::clamp(x, 0.0f, float(luma.width - 1)), y = std::clamp(y, 0.0f, float(luma.height - 1));
            int ix = std::min(int(x), std::max(0, luma.width - 2)), iy = std::min(int(y), std::max(0, luma.height - 2));
            float fx = x - float(ix), fy = y - float(iy);
            int right = luma.width > 1 ? 1 : 0;
            const uint8_t *top = luma.row(iy) + ix, *bottom = luma.row(std::min(iy + 1, luma.height - 1)) + ix;
            float upper = top[0] + fx * float(top[right] - top[0]), lower = bottom[0] + fx * float(bottom[right] - bottom[0]);
            samples_[k] += upper + fy * (lower - upper);
        }
        return true;
    }

    std::vector<float> samples_;
    float margin_ = 0; // beyond each end, as a share of the width
    int finest_ = 1;   // samples of the symbol's width
};

/// Least squares of line = base + slope * x + contrast * model; the squared error that is left. Afterwards `line` is in units of the model.
struct Light {
    float base = 0, slope = 0, contrast = 0, error = INFINITY;

    static Light of(const std::vector<float> &line, const std::vector<float> &model) {
        double n = double(line.size()), sx = 0, sxx = 0, sm = 0, smm = 0, sxm = 0, sl = 0, sll = 0, sxl = 0, sml = 0;
        for (size_t i = 0; i < line.size(); ++i) {
            double x = double(i) / n - 0.5, m = model[i], l = line[i];
            sx += x, sxx += x * x, sm += m, smm += m * m, sxm += x * m, sl += l, sll += l * l, sxl += x * l, sml += m * l;
        }
        // Of what is left of model and line when their means and slopes are taken away.
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

    void normalise(std::vector<float> &line) const {
        float n = float(line.size());
        for (size_t i = 0; i < line.size(); ++i) line[i] = (line[i] - base - slope * (float(i) / n - 0.5f)) / contrast;
    }
};

} // namespace glimpse
