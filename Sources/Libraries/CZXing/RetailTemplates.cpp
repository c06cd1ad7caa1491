// SPDX-License-Identifier: Apache-2.0
#include "RetailTemplates.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

/// The share of one dark module in the samples around it, for each blur: a Gaussian over its width.
struct ModuleTemplates {
    std::array<std::array<float, (2 * blurReach + 1) * perModule>, sigmas.size()> of;

    ModuleTemplates() {
        for (size_t s = 0; s < sigmas.size(); ++s)
            for (size_t i = 0; i < of[s].size(); ++i) {
                float x = (float(i) + 0.5f) / perModule - blurReach, scale = 1 / (sigmas[s] * 1.41421356f);
                of[s][i] = 0.5f * (std::erf((1 - x) * scale) - std::erf(-x * scale));
            }
    }
};

struct DigitTemplates {
    std::array<std::array<std::array<DigitTemplate, 10>, 3>, sigmas.size()> of;

    DigitTemplates() {
        std::vector<float> line;
        for (size_t s = 0; s < sigmas.size(); ++s)
            for (RetailSet set : {A, B, C})
                for (int digit = 0; digit < 10; ++digit) {
                    std::vector<uint8_t> dark(digitModules + 2 * blurReach, 0);
                    uint8_t code = retailCode(set, digit);
                    for (int m = 0; m < digitModules; ++m) dark[size_t(blurReach + m)] = code >> (digitModules - 1 - m) & 1;
                    blurred(dark, s, line);
                    std::copy(line.begin(), line.end(), of[s][set][size_t(digit)].begin());
                }
    }
};

} // namespace

void blurred(const std::vector<uint8_t> &dark, size_t sigma, std::vector<float> &out) {
    static const ModuleTemplates modules;
    out.assign(dark.size() * perModule, 0);
    for (int m = 0; m < int(dark.size()); ++m) {
        if (!dark[size_t(m)]) continue;
        for (int i = 0; i < (2 * blurReach + 1) * perModule; ++i) {
            int at = (m - blurReach) * perModule + i;
            if (at >= 0 && at < int(out.size())) out[size_t(at)] += modules.of[sigma][size_t(i)];
        }
    }
}

const DigitTemplate &digitTemplate(size_t sigma, RetailSet set, int digit) {
    static const DigitTemplates all;
    return all.of[sigma][set][size_t(digit)];
}

} // namespace glimpse
