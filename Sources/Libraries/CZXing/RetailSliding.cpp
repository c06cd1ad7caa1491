// SPDX-License-Identifier: Apache-2.0
// `RetailFitting::slide`: where the bars stand, before any digit is known.
#include "RetailFitting.hpp"

#include "CZXing.h"
#include "Equations.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

constexpr float unevenness = 0.2f; // what a step of a sample between neighbours costs, in squared errors of a sample

/// The standard deviation of the samples of all digits of a blur.
double digitDeviation(size_t blur) {
    static const auto all = [] {
        std::array<double, sigmas.size()> out{};
        constexpr size_t first = blurReach * perModule, last = templateSamples - first;
        for (size_t s = 0; s < sigmas.size(); ++s) {
            double sum = 0, squares = 0, n = 0;
            for (RetailSet set : {A, B})
                for (int digit = 0; digit < 10; ++digit)
                    for (size_t k = first; k < last; ++k) {
                        double v = digitTemplate(s, set, digit)[k];
                        sum += v, squares += v * v, ++n;
                    }
            out[s] = std::sqrt(squares / n - sum / n * (sum / n));
        }
        return out;
    }();
    return all[blur];
}

} // namespace

/// Brings the line into units of bars by its mean and variance alone.
bool RetailFitting::takeLight(size_t blur) {
    fit_.blur = blur;
    setModel({});
    fit_.line.resize(model_.size());
    picture_->sample(fit_.place, paper_, fit_.line);
    // As many modules are dark as light, and digits of this blur have a known spread.
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < places_.size(); ++i)
        for (size_t k = blurReach * perModule; k < templateSamples - blurReach * perModule; ++k) {
            double v = fit_.line[firstSample(i) + k];
            sum += v, squares += v * v, ++n;
        }
    double deviation = std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n))), wanted = digitDeviation(blur);
    float contrast = float(-deviation / wanted), base = float(sum / n) - 0.5f * contrast;
    if (std::abs(contrast) < leastContrast) return false;
    for (float &v : fit_.line) v = (v - base) / contrast;
    return true;
}

float RetailFitting::guardCost(int firstModule, int modules, int shift) const {
    int start = (firstModule + retailPaper) * perModule;
    float sum = 0;
    for (int k = start; k < start + modules * perModule; ++k) {
        float difference = fit_.line[size_t(std::clamp(k + shift, 0, int(fit_.line.size()) - 1))] - model_[size_t(k)];
        sum += difference * difference;
    }
    return sum;
}

float RetailFitting::slide(size_t blur, int range, int stride) {
    if (!takeLight(blur)) return INFINITY;
    // The parts of the symbol in order: guards and digits. For each the error at each shift, by digits that fit best.
    struct Part {
        float middle; ///< modules from the first bar
        std::vector<float> costs;
    };
    std::vector<int> shifts;
    for (int s = -range; s <= range; s += stride) shifts.push_back(s);
    std::vector<Part> parts;
    int half = format_ == CZX_UPC_E ? 0 : layout_.width / 2;
    auto guard = [&](int first, int modules) {
        Part part{float(first) + 0.5f * float(modules), {}};
        for (int s : shifts) part.costs.push_back(guardCost(first, modules, s));
        parts.push_back(part);
    };
    guard(-retailPaper, retailPaper + 3);
    if (half) guard(half - 2, 5);
    guard(layout_.digits.back() + digitModules, layout_.width - layout_.digits.back() - digitModules + retailPaper);
    size_t guards = parts.size();
    for (int at : layout_.digits) parts.push_back({float(at) + 0.5f * digitModules, {}});
    for (int s : shifts) {
        DigitCosts costs = this->costs(s);
        for (size_t i = 0; i < costs.size(); ++i) {
            float least = INFINITY;
            for (auto &set : costs[i]) least = std::min(least, *std::min_element(set.begin(), set.end()));
            parts[guards + i].costs.push_back(least);
        }
    }
    std::sort(parts.begin(), parts.end(), [](auto &a, auto &b) { return a.middle < b.middle; });
    // The least sum over all parts, where neighbours slide by almost as much (Viterbi).
    std::vector<std::vector<int8_t>> steps(parts.size(), std::vector<int8_t>(shifts.size(), 0));
    std::vector<float> sums = parts[0].costs;
    int mostStep = std::max(1, 2 / stride);
    for (size_t i = 1; i < parts.size(); ++i) {
        std::vector<float> next(shifts.size(), INFINITY);
        for (int s = 0; s < int(shifts.size()); ++s)
            for (int step = -mostStep; step <= mostStep; ++step) {
                int before = s - step;
                if (before < 0 || before >= int(shifts.size())) continue;
                float sum = sums[size_t(before)] + unevenness * float(step * step * stride * stride) + parts[i].costs[size_t(s)];
                if (sum < next[size_t(s)]) next[size_t(s)] = sum, steps[i][size_t(s)] = int8_t(step);
            }
        sums = next;
    }
    auto best = std::min_element(sums.begin(), sums.end());
    // The polynomial through the shifts that were found is how the paper bends.
    std::array<std::array<double, 5>, 4> equations{};
    int s = int(best - sums.begin());
    for (size_t i = parts.size(); i-- > 0;) {
        double u = double(parts[i].middle) / layout_.width;
        std::array<double, 4> row{1, u, u * u, u * u * u};
        for (size_t j = 0; j < 4; ++j) {
            for (size_t k = 0; k < 4; ++k) equations[j][k] += row[j] * row[k];
            equations[j][4] += row[j] * double(shifts[size_t(s)]) / (perModule * layout_.width);
        }
        s -= steps[i][size_t(s)];
    }
    std::array<double, 4> change{};
    if (solve(equations, change))
        for (size_t k = 0; k < 4; ++k) fit_.place.bend[k] += float(change[k]);
    return *best / float(fit_.line.size());
}

} // namespace glimpse
