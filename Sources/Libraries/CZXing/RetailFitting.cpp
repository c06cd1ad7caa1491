// SPDX-License-Identifier: Apache-2.0
#include "RetailFitting.hpp"

#include "CZXing.h"
#include "Equations.hpp"
#include "LineAlignment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glimpse {
namespace {

constexpr int straightenings = 4;
constexpr double leastShare = 0.25; // of the contrast, where it is least
constexpr int around = perModule;  // samples beside a digit that count as its own

std::vector<RetailSet> setsOf(uint32_t format, const RetailLayout &layout, size_t place) {
    bool isRight = format != CZX_UPC_E && place >= layout.digits.size() / 2;
    if (isRight) return {C};
    if (format == CZX_EAN_8) return {A};
    return {A, B};
}

/// The mean of the places over all digits.
std::vector<float> meanTemplate(size_t blur, const std::vector<RetailSet> &sets) {
    std::vector<float> sum(templateSamples, 0);
    for (RetailSet set : sets)
        for (int digit = 0; digit < 10; ++digit) {
            const DigitTemplate &t = digitTemplate(blur, set, digit);
            for (size_t i = 0; i < sum.size(); ++i) sum[i] += t[i];
        }
    for (float &v : sum) v /= float(10 * sets.size());
    return sum;
}

/// `count` is a multiple of four. Four sums, so that the compiler may use the processor's vectors.
float squaredDistance(const float *a, const float *b, int count) {
    std::array<float, 4> sums{};
    for (int k = 0; k < count; k += 4)
        for (int j = 0; j < 4; ++j) sums[size_t(j)] += (a[k + j] - b[k + j]) * (a[k + j] - b[k + j]);
    return sums[0] + sums[1] + sums[2] + sums[3];
}

} // namespace

RetailFitting::RetailFitting(const Line &picture, uint32_t format, float from, float to, float lean)
    : picture_(&picture), format_(format), layout_(format), paper_(retailPaper / float(layout_.width)) {
    fit_.place.from = from, fit_.place.to = to;
    fit_.place.bend[1] = 4 * lean, fit_.place.bend[2] = -4 * lean;
}

void RetailFitting::setModel(const std::vector<uint8_t> &codes) {
    blurred(retailModules(layout_, std::vector<uint8_t>(layout_.digits.size(), 0)), fit_.blur, model_);
    places_.resize(layout_.digits.size());
    for (size_t i = 0; i < places_.size(); ++i) {
        auto sets = setsOf(format_, layout_, i);
        places_[i] = meanTemplate(fit_.blur, sets);
        if (!codes.empty())
            for (RetailSet set : sets)
                for (int digit = 0; digit < 10; ++digit)
                    if (retailCode(set, digit) == codes[i]) {
                        const DigitTemplate &t = digitTemplate(fit_.blur, set, digit);
                        places_[i].assign(t.begin(), t.end());
                    }
        for (size_t k = 0; k < templateSamples; ++k) model_[firstSample(i) + k] += places_[i][k];
    }
}

bool RetailFitting::to(const std::vector<uint8_t> &codes, bool isPlaced) {
    search(codes, isPlaced);
    if (!std::isfinite(light_.error) || std::abs(light_.contrast) < leastContrast) return false;
    setModel(codes);
    for (int i = 0; i < straightenings; ++i) align(*picture_, model_, paper_, fit_.place, light_, fit_.line);
    normalise();
    return true;
}

/// The blur, and where the place is not known the ends of the bars and a simple bend, in steps that grow finer.
void RetailFitting::search(const std::vector<uint8_t> &codes, bool isPlaced) {
    std::array<std::vector<float>, sigmas.size()> models;
    for (size_t s = 0; s < sigmas.size(); ++s) blurred(retailModules(layout_, codes), s, models[s]);
    line_.resize(models[0].size());
    light_ = Light();
    Line::Placing place = fit_.place;
    auto attempt = [&](const Line::Placing &placing, size_t blur) {
        picture_->sample(placing, paper_, line_);
        Light now = Light::of(line_, models[blur]);
        if (now.error < light_.error) light_ = now, place = placing, fit_.blur = blur, fit_.line = line_;
    };
    for (size_t s = 0; isPlaced && s < sigmas.size(); ++s) attempt(place, s);
    if (isPlaced) return;
    float module = (fit_.place.to - fit_.place.from) / float(layout_.width);
    for (float step : {0.6f, 0.6f, 0.2f}) {
        Line::Placing around = place;
        for (int i = -2; i <= 2; ++i)
            for (int j = -2; j <= 2; ++j) {
                Line::Placing p = around;
                p.from += float(i) * step * module, p.to += float(j) * step * module;
                attempt(p, fit_.blur);
            }
        around = place;
        for (int k = -3; k <= 3; ++k) {
            Line::Placing p = around;
            float bend = 4 * float(k) * step / float(layout_.width);
            p.bend[1] += bend, p.bend[2] -= bend;
            attempt(p, fit_.blur);
        }
        for (size_t s = 0; s < sigmas.size(); ++s) attempt(place, s);
    }
    fit_.place = place;
}

/// Brings the line into units of its bars. Base and contrast may change along the line, as light and focus do.
void RetailFitting::normalise() {
    std::array<std::array<double, 7>, 6> equations{};
    float n = float(fit_.line.size());
    for (size_t i = 0; i < fit_.line.size(); ++i) {
        double x = double(i) / double(n) - 0.5, m = model_[i];
        std::array<double, 6> row{1, x, x * x, m, m * x, m * x * x};
        for (size_t j = 0; j < 6; ++j) {
            for (size_t k = 0; k < 6; ++k) equations[j][k] += row[j] * row[k];
            equations[j][6] += row[j] * double(fit_.line[i]);
        }
    }
    bentLight_ = {double(light_.base), double(light_.slope), 0, double(light_.contrast), 0, 0};
    solve(equations, bentLight_);
    fit_.error = 0;
    for (size_t i = 0; i < fit_.line.size(); ++i) {
        fit_.line[i] = inkOf(fit_.line[i], double(i) / double(n) - 0.5);
        fit_.error += (fit_.line[i] - model_[i]) * (fit_.line[i] - model_[i]);
    }
    fit_.isDark = light_.contrast < 0;
}

float RetailFitting::inkOf(float luma, double x) const {
    const auto &l = bentLight_;
    double contrast = l[3] + l[4] * x + l[5] * x * x, least = leastShare * double(light_.contrast);
    contrast = least < 0 ? std::min(contrast, least) : std::max(contrast, least);
    return float((double(luma) - l[0] - l[1] * x - l[2] * x * x) / contrast);
}

/// `shift`: samples that each place stands beside its own, with its neighbours.
DigitCosts RetailFitting::costs(int shift) const {
    DigitCosts all(layout_.digits.size());
    constexpr int first = blurReach * perModule - around, count = digitModules * perModule + 2 * around;
    std::array<float, count> rest;
    for (size_t i = 0; i < all.size(); ++i) {
        for (auto &set : all[i]) set.fill(INFINITY);
        int start = int(firstSample(i)) + first;
        // The rest that the bars of this place have to explain.
        for (int k = 0; k < count; ++k) {
            int at = std::clamp(start + k + shift, 0, int(fit_.line.size()) - 1);
            rest[size_t(k)] = fit_.line[size_t(at)] - model_[size_t(start + k)] + places_[i][size_t(first + k)];
        }
        for (RetailSet set : setsOf(format_, layout_, i))
            for (int digit = 0; digit < 10; ++digit)
                all[i][set][size_t(digit)] = squaredDistance(rest.data(), &digitTemplate(fit_.blur, set, digit)[first], count);
    }
    return all;
}

std::vector<float> RetailFitting::inkOfModules(int first, int modules) const {
    // Beside the bars the paper is taken to lie flat.
    float from = fit_.place(0), module = (fit_.place(1) - from) / float(layout_.width);
    Line::Placing place;
    place.from = from + float(first) * module, place.to = place.from + float(modules) * module;
    std::vector<float> samples(size_t(modules * perModule)), ink;
    picture_->sample(place, 0, samples);
    for (auto at = samples.begin(); at != samples.end(); at += perModule)
        ink.push_back(inkOf(std::accumulate(at, at + perModule, 0.0f) / perModule, first < 0 ? -0.5 : 0.5));
    return ink;
}

float RetailFitting::inkBeside() const {
    constexpr int modules = 5;
    float most = 0;
    for (int first : {-modules, layout_.width}) {
        auto ink = inkOfModules(first, modules);
        most = std::max(most, std::accumulate(ink.begin(), ink.end(), 0.0f) / modules);
    }
    return most;
}

float RetailFitting::darkestAfter() const {
    constexpr int first = 1, modules = 5;
    float from = fit_.place(0), width = fit_.place(1) - from;
    if (from + width * (1 + float(first + modules) / float(layout_.width)) > picture_->end()) return INFINITY;
    auto ink = inkOfModules(layout_.width + first, modules);
    return *std::max_element(ink.begin(), ink.end());
}

DigitCosts RetailFitting::costs() const {
    DigitCosts best = costs(0);
    for (int shift : {-1, 1}) {
        DigitCosts other = costs(shift);
        for (size_t i = 0; i < best.size(); ++i)
            for (RetailSet set : {A, B, C})
                for (size_t digit = 0; digit < 10; ++digit) best[i][set][digit] = std::min(best[i][set][digit], other[i][set][digit]);
    }
    return best;
}

} // namespace glimpse
