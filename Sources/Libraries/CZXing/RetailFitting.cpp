// SPDX-License-Identifier: Apache-2.0
#include "RetailFitting.hpp"

#include "CZXing.h"
#include "Equations.hpp"
#include "LineAlignment.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

constexpr float leastContrast = 2; // grey levels between bars and paper
constexpr int straightenings = 4;
constexpr float unevenness = 0.2f;    // what a step of a sample between neighbours costs, in squared errors of a sample
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

/// The first sample of a place's template.
static size_t firstSample(const RetailLayout &layout, size_t place) {
    return size_t(layout.digits[place] + retailPaper - blurReach) * perModule;
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
        for (size_t k = 0; k < templateSamples; ++k) model_[firstSample(layout_, i) + k] += places_[i][k];
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
            double v = fit_.line[firstSample(layout_, i) + k];
            sum += v, squares += v * v, ++n;
        }
    double deviation = std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n))), wanted = digitDeviation(blur);
    float contrast = float(-deviation / wanted), base = float(sum / n) - 0.5f * contrast;
    if (std::abs(contrast) < leastContrast) return false;
    for (float &v : fit_.line) v = (v - base) / contrast;
    return true;
}

/// `shift`: samples that each place stands beside its own, with its neighbours.
DigitCosts RetailFitting::costs(int shift) const {
    DigitCosts all(layout_.digits.size());
    constexpr int first = blurReach * perModule - around, count = digitModules * perModule + 2 * around;
    std::array<float, count> rest;
    for (size_t i = 0; i < all.size(); ++i) {
        for (auto &set : all[i]) set.fill(INFINITY);
        int start = int(firstSample(layout_, i)) + first;
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

float RetailFitting::inkBeside() const {
    constexpr int modules = 5;
    float width = float(layout_.width), most = 0;
    std::vector<float> samples(modules * perModule);
    for (float first : {-modules / width, 1.0f}) {
        // Beside the bars the paper is taken to lie flat.
        Line::Placing place = fit_.place;
        float from = place(0), to = place(1);
        place = {};
        place.from = from + first * (to - from), place.to = place.from + modules / width * (to - from);
        picture_->sample(place, 0, samples);
        float sum = 0;
        for (float v : samples) sum += inkOf(v, first < 0 ? -0.5 : 0.5);
        most = std::max(most, sum / float(samples.size()));
    }
    return most;
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
