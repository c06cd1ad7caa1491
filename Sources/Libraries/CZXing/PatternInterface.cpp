// SPDX-License-Identifier: Apache-2.0
// `czx_pattern_...`: the pattern behind the C interface.

#include "CZXing.h"
#include "Pattern.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

struct czx_pattern {
    glimpse::Pattern pattern;
};

namespace {

bool isPossible(const czx_luma *luma, const float *corners) {
    return luma && corners && luma->pixels && luma->width >= 1 && luma->height >= 1 && luma->width <= 32767
        && luma->height <= 32767 && luma->stride >= luma->width
        && std::all_of(corners, corners + 8, [](float c) { return std::abs(c) < 1e5f; });
}

glimpse::Quad quad(const float *c) {
    return {glimpse::Point{c[0], c[1]}, {c[2], c[3]}, {c[4], c[5]}, {c[6], c[7]}};
}

glimpse::Luma view(const czx_luma &l) { return {l.pixels, l.width, l.height, l.stride}; }

} // namespace

czx_pattern *czx_pattern_create(void) { return new (std::nothrow) czx_pattern; }

void czx_pattern_destroy(czx_pattern *pattern) { delete pattern; }

int32_t czx_pattern_learn(czx_pattern *pattern, const czx_luma *luma, const float corners[8]) {
    if (!pattern || !isPossible(luma, corners)) return CZX_INVALID_ARGUMENT;
    try {
        return pattern->pattern.learn(view(*luma), quad(corners));
    } catch (const std::exception &) {
        return CZX_DECODER_FAILED; // out of memory
    }
}

float czx_pattern_find(czx_pattern *pattern, const czx_luma *luma, const float start[8], float found[8]) {
    if (!pattern || !found || !isPossible(luma, start)) return CZX_INVALID_ARGUMENT;
    try {
        auto place = pattern->pattern.find(view(*luma), quad(start));
        for (size_t i = 0; i < 4; ++i) found[2 * i] = place.quad[i].x, found[2 * i + 1] = place.quad[i].y;
        return std::max(0.0f, place.likeness);
    } catch (const std::exception &) {
        return CZX_DECODER_FAILED;
    }
}
