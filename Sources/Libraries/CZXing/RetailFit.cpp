#include "RetailFit.hpp"

#include "CZXing.h"
#include "RetailLine.hpp"
#include "RetailModules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace glimpse {
namespace {

constexpr int digitSamples = perModule * digitModules;
constexpr int mostShift = 1;   // samples that a digit may stand beside its place
constexpr float wellExplained = 0.01f; // squared error of a sample, in units of the bars' contrast: values that were misread leave 0.007 to others
constexpr float leastError = 0.005f;   // of a sample: a perfect picture leaves next to none
constexpr float leastContrast = 2; // grey levels between bars and paper

using Template = std::array<float, digitSamples>;
constexpr std::array<float, 6> sigmas{0.25f, 0.4f, 0.55f, 0.7f, 0.9f, 1.15f}; // of the blur, in modules
constexpr int reach = 3; // modules that a bar's blur reaches

/// What one bar gives to the samples around it, for each blur: a Gaussian over its width.
struct Blur {
    std::array<std::array<float, (2 * reach + 1) * perModule>, sigmas.size()> of;

    Blur() {
        for (size_t s = 0; s < sigmas.size(); ++s)
            for (size_t i = 0; i < of[s].size(); ++i) {
                float x = (float(i) + 0.5f) / perModule - reach, scale = 1 / (sigmas[s] * 1.41421356f);
                of[s][i] = 0.5f * (std::erf((1 - x) * scale) - std::erf(-x * scale));
            }
    }
};

/// The modules on a blurred line, `perModule` samples each.
void blurred(const std::vector<uint8_t> &dark, size_t sigma, std::vector<float> &out) {
    static const Blur blur;
    out.assign(dark.size() * perModule, 0);
    for (int m = 0; m < int(dark.size()); ++m) {
        if (!dark[size_t(m)]) continue;
        for (int i = 0; i < (2 * reach + 1) * perModule; ++i) {
            int at = (m - reach) * perModule + i;
            if (at >= 0 && at < int(out.size())) out[size_t(at)] += blur.of[sigma][size_t(i)];
        }
    }
}

/// For each blur the digits of each set, between the modules that always stand beside them.
struct Templates {
    std::array<std::array<std::array<Template, 10>, 3>, sigmas.size()> digits;

    Templates() {
        for (size_t s = 0; s < sigmas.size(); ++s)
            for (RetailSet set : {A, B, C})
                for (int digit = 0; digit < 10; ++digit) {
                    // A left digit begins with a space and ends with a bar, a right one the other way, so its neighbours are known.
                    uint8_t code = retailCode(set, digit), before = set == C ? 0 : 1;
                    std::vector<uint8_t> dark(reach, before);
                    for (int i = digitModules - 1; i >= 0; --i) dark.push_back(code >> i & 1);
                    dark.insert(dark.end(), reach, uint8_t(1 - before));
                    std::vector<float> wide;
                    blurred(dark, s, wide);
                    std::copy_n(wide.begin() + reach * perModule, digitSamples, digits[s][set][size_t(digit)].begin());
                }
    }
};

const Templates &templates() {
    static const Templates all;
    return all;
}

/// Squared errors of each digit in each place.
using Costs = std::vector<std::array<std::array<float, 10>, 3>>;

/// The least sum of errors of a value that obeys the check digit and is not `claimed`, by dynamic programming over sum and difference.
class Rival {
public:
    Rival(const Costs &costs, std::string_view claimed) : costs_(costs), claimed_(claimed) {}

    /// The digits from `first` on have bars, with these sets and weights; `sum` is what the others weigh, `differs` whether one of them is
    /// not the claimed one.
    float least(const std::vector<RetailSet> &sets, const std::vector<int> &weights, size_t first, int sum, bool differs,
                int wanted = 0, int lastDigit = -1) const {
        std::array<std::array<float, 2>, 10> now, next;
        for (auto &s : now) s = {INFINITY, INFINITY};
        now[size_t(sum % 10)][differs] = 0;
        for (size_t i = 0; i < sets.size(); ++i) {
            for (auto &s : next) s = {INFINITY, INFINITY};
            for (int digit = 0; digit < 10; ++digit) {
                if (lastDigit >= 0 && i + 1 == sets.size() && digit != lastDigit) continue;
                float cost = costs_[i][sets[i]][size_t(digit)];
                bool other = digit != claimed_[first + i] - '0';
                for (size_t s = 0; s < 10; ++s)
                    for (size_t d = 0; d < 2; ++d) {
                        float &to = next[(s + size_t(weights[i] * digit)) % 10][d | size_t(other)];
                        to = std::min(to, now[s][d] + cost);
                    }
            }
            now = next;
        }
        return now[size_t(wanted)][1];
    }

private:
    const Costs &costs_;
    std::string_view claimed_;
};

float leastRival(uint32_t format, const Costs &costs, std::string_view digits) {
    float least = INFINITY;
    if (format == CZX_EAN_8) {
        Rival rival(costs, digits);
        return rival.least({A, A, A, A, C, C, C, C}, {3, 1, 3, 1, 3, 1, 3, 1}, 0, 0, false);
    }
    auto sets = [](uint8_t parity, size_t right) {
        std::vector<RetailSet> out;
        for (int i = 5; i >= 0; --i) out.push_back(parity >> i & 1 ? B : A);
        out.insert(out.end(), right, C);
        return out;
    };
    if (format != CZX_UPC_E) {
        std::string all(digits.size() == 12 ? "0" : "");
        all += digits; // UPC-A is EAN-13 with a leading zero
        Rival rival(costs, all);
        for (int first = 0; first < 10; ++first)
            least = std::min(least, rival.least(sets(retailParities[size_t(first)], 6), {3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1}, 1,
                                                first, first != all[0] - '0'));
        return least;
    }
    // The last digit says where the others stand in UPC-A, so what they weigh (ISO/IEC 15420, table 4).
    Rival rival(costs, digits);
    for (int system = 0; system < 2; ++system)
        for (int check = 0; check < 10; ++check)
            for (int last = 0; last < 10; ++last) {
                std::vector<int> weights = last <= 2 ? std::vector{1, 3, 3, 1, 3, 1}  // s ab L0000 cde
                    : last == 3 ? std::vector{1, 3, 1, 1, 3, 0}                        // s abc 00000 de
                    : last == 4 ? std::vector{1, 3, 1, 3, 3, 0}                        // s abcd 00000 e
                                : std::vector{1, 3, 1, 3, 1, 3};                       // s abcde 0000 L
                bool differs = system != digits[0] - '0' || check != digits[7] - '0';
                least = std::min(least, rival.least(sets(retailParity(system, check), 0), weights, 1, 3 * system + check, differs, 0, last));
            }
    return least;
}

/// A symbol's line in units of its bars: 0 is paper, 1 is ink.
struct Fit {
    std::vector<float> line;
    size_t blur = 2;
};

/// Where the bars begin and end, how the paper bends and how blurred the picture is, as the modules fit best. The error of a place in the line is
/// of the second order, so each is searched by itself, in finer steps each time.
class Fitting {
public:
    Fitting(const Line &picture, int width) : picture_(picture), module_(1 / float(width)) {}

    /// False where there is next to no contrast. Starts where the last fit ended.
    bool to(const std::vector<uint8_t> &dark, Fit &fit) {
        std::array<std::vector<float>, sigmas.size()> models;
        for (size_t s = 0; s < sigmas.size(); ++s) blurred(dark, s, models[s]);
        line_.resize(models[0].size());
        light_ = Light();
        auto attempt = [&](float from, float to, float bend, size_t blur) {
            float paper = retailPaper * (to - from) * module_;
            picture_.between(from - paper, to + paper, bend, line_);
            Light now = Light::of(line_, models[blur]);
            if (now.error < light_.error) light_ = now, from_ = from, to_ = to, bend_ = bend, fit.blur = blur, fit.line = line_;
        };
        for (float step : {0.6f, 0.6f, 0.2f}) {
            float from = from_, to = to_;
            for (int i = -2; i <= 2; ++i)
                for (int j = -2; j <= 2; ++j) attempt(from + float(i) * step * module_, to + float(j) * step * module_, bend_, fit.blur);
            float bend = bend_;
            for (int k = -3; k <= 3; ++k) attempt(from_, to_, bend + float(k) * step * module_, fit.blur);
            for (size_t s = 0; s < sigmas.size(); ++s) attempt(from_, to_, bend_, s);
        }
        if (!std::isfinite(light_.error) || std::abs(light_.contrast) < leastContrast) return false;
        light_.normalise(fit.line);
        return true;
    }

private:
    const Line &picture_;
    float module_;
    float from_ = 0, to_ = 1, bend_ = 0;
    std::vector<float> line_;
    Light light_;
};

Costs costs(const Fit &fit, const RetailLayout &layout) {
    Costs all(layout.digits.size());
    for (size_t i = 0; i < all.size(); ++i) {
        const float *at = fit.line.data() + size_t(layout.digits[i] + retailPaper) * perModule;
        for (RetailSet set : {A, B, C})
            for (size_t digit = 0; digit < 10; ++digit) {
                const Template &t = templates().digits[fit.blur][set][digit];
                float least = INFINITY;
                for (int shift = -mostShift; shift <= mostShift; ++shift) {
                    float sum = 0;
                    for (size_t k = 0; k < t.size(); ++k) sum += (at[int(k) + shift] - t[k]) * (at[int(k) + shift] - t[k]);
                    least = std::min(least, sum);
                }
                all[i][set][digit] = least;
            }
    }
    return all;
}

/// The code that fits each place best, whatever its neighbours are.
std::vector<uint8_t> likeliest(const Costs &costs, uint32_t format) {
    std::vector<uint8_t> codes;
    for (size_t i = 0; i < costs.size(); ++i) {
        bool isRight = format != CZX_UPC_E && i >= costs.size() / 2, hasB = !isRight && format != CZX_EAN_8;
        float least = INFINITY;
        codes.push_back(0);
        for (RetailSet set : {A, B, C}) {
            if (isRight != (set == C) || (set == B && !hasB)) continue;
            for (int digit = 0; digit < 10; ++digit)
                if (float cost = costs[i][set][size_t(digit)]; cost < least) least = cost, codes.back() = retailCode(set, digit);
        }
    }
    return codes;
}

float costOf(const std::vector<uint8_t> &codes, const Costs &costs) {
    float sum = 0;
    for (size_t i = 0; i < codes.size(); ++i)
        for (RetailSet set : {A, B, C})
            for (int digit = 0; digit < 10; ++digit)
                if (retailCode(set, digit) == codes[i]) sum += costs[i][set][size_t(digit)];
    return sum;
}

} // namespace

float retailMargin(const Luma &luma, const Quad &symbol, uint32_t format, std::string_view digits) {
    if (format != CZX_EAN_13 && format != CZX_EAN_8 && format != CZX_UPC_A && format != CZX_UPC_E) return 0;
    RetailLayout layout(format);
    std::vector<uint8_t> codes = retailCodes(format, digits);
    Line picture;
    if (codes.empty() || area(symbol) < 1 || !picture.take(luma, symbol, layout.width)) return 0;
    Fitting fitting(picture, layout.width);
    Fit fit;
    if (!fitting.to(retailModules(layout, codes), fit)) return 0;
    // A wrong value moves the bars to wrong places. The likeliest digits put them right.
    if (!fitting.to(retailModules(layout, likeliest(costs(fit, layout), format)), fit)) return 0;
    Costs all = costs(fit, layout);
    float claimed = costOf(codes, all), rival = leastRival(format, all, digits), samples = float(all.size() * digitSamples);
    if (rival < claimed && rival > wellExplained * samples) return 0; // bent or torn paper: no value fits
    return (rival - claimed) / std::max(claimed, leastError * samples) * float(all.size());
}

} // namespace glimpse
