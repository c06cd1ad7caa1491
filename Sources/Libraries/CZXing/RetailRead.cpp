// SPDX-License-Identifier: Apache-2.0
#include "RetailRead.hpp"

#include "BarStrip.hpp"
#include "CZXing.h"
#include "RetailFitting.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

/// One way in which a line may be a symbol.
struct Hypothesis {
    RetailFitting fitting;
    bool isReversed;
    float error; ///< squared, of a sample
};

constexpr size_t firstBlur = 2; // index of `sigmas`: between sharp and blurred
constexpr int farSlide = 12, farStride = 4, nearSlide = 4; // samples
constexpr float leastLean = 1.5f; // modules: `slide` finds less
constexpr size_t mostRefined = 4, mostDecoded = 2;
constexpr int mostRounds = 5;
constexpr float clearMargin = 8; // no other hypothesis is looked at
constexpr float mostInkBeside = 0.35f; // digits have 0.4 and more
constexpr float mostInkAfter = 0.25f;  // of one module; a bar's has 0.32 and more

void keepBest(std::vector<Hypothesis> &hypotheses, size_t count) {
    std::sort(hypotheses.begin(), hypotheses.end(), [](auto &a, auto &b) { return a.error < b.error; });
    if (hypotheses.size() > count) hypotheses.erase(hypotheses.begin() + std::ptrdiff_t(count), hypotheses.end());
}

/// Whether the line may show the left half of an EAN-13, which has the bars of a UPC-E of number system 1. Each digit
/// of the right half has a bar among the second to the sixth module after them.
bool isPerhapsHalf(const RetailFitting &fitting, const std::string &digits) {
    return fitting.format() == CZX_UPC_E && digits[0] == '1' && fitting.darkestAfter() > mostInkAfter;
}

/// Digits and fit in turns, until the digits stay as they are.
RetailRead decoded(Hypothesis &h, uint32_t format) {
    std::string digits = bestValue(format, h.fitting.costs()).digits;
    for (int round = 0; round < mostRounds; ++round) {
        if (!h.fitting.to(retailCodes(format, digits), true) || !h.fitting.fit().isDark) return {};
        DigitCosts costs = h.fitting.costs();
        RetailValue value = bestValue(format, costs);
        if (value.digits != digits) {
            digits = value.digits;
            continue;
        }
        // Half of an EAN-13 may be an EAN-8 but for what stands beside it.
        if (h.fitting.inkBeside() > mostInkBeside || isPerhapsHalf(h.fitting, digits)) return {};
        const RetailFit &fit = h.fitting.fit();
        RetailRead read;
        read.format = format, read.digits = digits, read.isReversed = h.isReversed;
        read.margin = marginOf(value.cost, bestValue(format, costs, digits).cost, costs.size());
        read.error = fit.error / float(fit.line.size()), read.blur = sigmas[fit.blur];
        read.from = fit.place(0), read.to = fit.place(1);
        return read;
    }
    return {}; // no digits explain the line
}

/// How far the middle of a symbol's bars is from the middle between `from` and `to`, as a share of its width. Paper
/// that turns away has narrower modules on the far side. All symbols of a format have as many bars, half of them on
/// each side. Zero where the line shows fewer bars.
float leanOf(const Line &line, float from, float to, const RetailLayout &layout) {
    std::vector<float> samples(size_t(2 * perModule * layout.width));
    Line::Placing place;
    place.from = from, place.to = to;
    line.sample(place, retailPaper / float(layout.width), samples);
    auto at = turns(samples, 0, int(samples.size()));
    // Two bars of each digit and those of the guards; a turn at each bar, at each space and at the paper before them.
    size_t bars = 2 * layout.digits.size() + layout.bars.size(), count = 2 * bars;
    if (at.size() < count * 4 / 5 || at.size() > count + 2) return 0;
    float middle = float(at[at.size() / 2]) / float(samples.size());
    return (middle - 0.5f) * (1 + 2 * retailPaper / float(layout.width));
}

} // namespace

RetailRead readRetail(const Line &line, const std::vector<std::pair<float, float>> &spans, uint32_t formats) {
    Line backwards = line.reversed();
    std::vector<Hypothesis> hypotheses;
    for (uint32_t format : {CZX_EAN_13, CZX_EAN_8, CZX_UPC_E}) {
        uint32_t wanted = format == CZX_EAN_13 ? CZX_EAN_13 | CZX_UPC_A : format;
        if (!(formats & wanted)) continue;
        for (bool isReversed : {false, true})
            for (auto [from, to] : spans) {
                float a = isReversed ? 1 - to : from, b = isReversed ? 1 - from : to;
                const Line &picture = isReversed ? backwards : line;
                auto suppose = [&](float lean) {
                    Hypothesis h{{picture, format, a, b, lean}, isReversed, 0};
                    h.error = h.fitting.slide(firstBlur, farSlide, farStride);
                    hypotheses.push_back(h);
                };
                suppose(0);
                RetailLayout layout(format);
                if (float lean = leanOf(picture, a, b, layout); std::abs(lean) * float(layout.width) > leastLean) suppose(lean);
            }
    }
    keepBest(hypotheses, mostRefined);
    for (Hypothesis &h : hypotheses) {
        h.fitting.slide(firstBlur, nearSlide);
        h.error = h.fitting.slide(firstBlur, nearSlide);
    }
    keepBest(hypotheses, mostDecoded);
    RetailRead best;
    for (Hypothesis &h : hypotheses)
        if (RetailRead read = decoded(h, h.fitting.format()); read.margin > best.margin) {
            best = read;
            if (best.margin > clearMargin) break;
        }
    return best;
}

} // namespace glimpse
