// SPDX-License-Identifier: Apache-2.0
#include "LinearExtent.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace glimpse {
namespace {

constexpr int samples = 128;          // along the symbol
constexpr float sameBars = 0.6f;      // normalised correlation of two lines across the same bars
constexpr int toleratedMisses = 2;    // steps without correlation that do not end the symbol (glare, dirt)

using Profile = std::array<float, samples>;

/// Luma at `samples` points from `start` to `end`; false if the line leaves the picture.
bool sample(const Luma &luma, Point start, Point end, Profile &out) {
    auto inside = [&](Point p) {
        return p.x >= 0 && p.y >= 0 && p.x < float(luma.width) - 0.5f && p.y < float(luma.height) - 0.5f;
    };
    if (!inside(start) || !inside(end)) return false;
    Point step = (1.0f / float(samples - 1)) * (end - start);
    for (int i = 0; i < samples; ++i) {
        Point p = start + float(i) * step;
        out[size_t(i)] = luma.at(std::min(int(p.x + 0.5f), luma.width - 1), std::min(int(p.y + 0.5f), luma.height - 1));
    }
    return true;
}

/// Pearson correlation over [from, to).
float correlation(const Profile &a, const Profile &b, int from, int to) {
    float sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0, n = float(to - from);
    for (size_t i = size_t(from); i < size_t(to); ++i)
        sa += a[i], sb += b[i], saa += a[i] * a[i], sbb += b[i] * b[i], sab += a[i] * b[i];
    float va = saa - sa * sa / n, vb = sbb - sb * sb / n;
    // A variance under 25 grey levels squared is an even surface.
    return va < 25 * n || vb < 25 * n ? 0 : (sab - sa * sb / n) / std::sqrt(va * vb);
}

struct Reach {
    Point left, right; // offsets from the scan line's ends
};

/// One direction: `across` is a step perpendicular to the scan line. The reference stays the scan line itself: from
/// line to line a small slant would not show.
Reach follow(const Luma &luma, Point start, Point end, Point across, Point along) {
    Profile reference, line, best;
    Reach reach;
    if (!sample(luma, start, end, reference)) return reach;
    float slip = 0; // how far the bars have moved along the line, in steps of `along`
    int leftMisses = 0, rightMisses = 0;
    for (int step = 1; leftMisses <= toleratedMisses || rightMisses <= toleratedMisses; ++step) {
        float bestScore = -1, bestSlip = slip;
        for (int delta : {0, -1, 1}) {
            Point offset = float(step) * across + (slip + float(delta)) * along;
            if (!sample(luma, start + offset, end + offset, line)) continue;
            float score = correlation(reference, line, 0, samples);
            if (score > bestScore) bestScore = score, bestSlip = slip + float(delta), best = line;
        }
        if (bestScore < -0.5f) break; // outside the picture
        bool left = leftMisses <= toleratedMisses && correlation(reference, best, 0, samples / 2) > sameBars;
        bool right = rightMisses <= toleratedMisses && correlation(reference, best, samples / 2, samples) > sameBars;
        Point offset = float(step) * across + bestSlip * along;
        if (left) reach.left = offset, leftMisses = 0;
        else ++leftMisses;
        if (right) reach.right = offset, rightMisses = 0;
        else ++rightMisses;
        if (left || right) slip = bestSlip;
    }
    return reach;
}

} // namespace

namespace {

Quad extent(const Luma &luma, Point start, Point end) {
    float distance = length(end - start);
    if (distance < 1) return {start, end, end + Point{0, 1}, start + Point{0, 1}};
    Point along = (1 / distance) * (end - start), down{-along.y, along.x};
    // Wide symbols are followed in larger steps; slant may be up to 45 degrees either way.
    float stride = std::max(1.0f, distance / 200);
    Reach above = follow(luma, start, end, -stride * down, stride * along);
    Reach below = follow(luma, start, end, stride * down, stride * along);
    return {start + above.left - 0.5f * down, end + above.right - 0.5f * down, end + below.right + 0.5f * down,
            start + below.left + 0.5f * down};
}

} // namespace

Quad linearExtent(const Luma &luma, Point start, Point end) {
    // DataBar's ends are estimates and may lie beyond the picture.
    for (Point *p : {&start, &end})
        *p = {std::clamp(p->x, 0.0f, float(luma.width - 1)), std::clamp(p->y, 0.0f, float(luma.height - 1))};
    Quad q = extent(luma, start, end);
    Point bars = (q[3] + q[2]) - (q[0] + q[1]);
    float tall = length(bars), wide = length(end - start);
    if (tall < 16 || wide < 16) return q;
    bars = (1 / tall) * bars;
    if (std::abs(dot(bars, end - start)) < 0.05f * wide) return q;
    // The scan line crossed the bars askew. Follow them again from a line square to them through the middle, whose ends
    // lie on the same outer bars.
    Point middle = 0.5f * (start + end);
    Point straightStart = start + dot(middle - start, bars) * bars, straightEnd = end + dot(middle - end, bars) * bars;
    if (!contains(corners(luma.rect()), straightStart) || !contains(corners(luma.rect()), straightEnd)) return q;
    Quad straight = extent(luma, straightStart, straightEnd);
    return area(straight) > 0.3f * area(q) ? straight : q;
}

bool hasQuietZones(const Luma &luma, const Quad &symbol, float longest) {
    Point start = 0.5f * (symbol[0] + symbol[3]), end = 0.5f * (symbol[1] + symbol[2]);
    Profile bars;
    if (!sample(luma, start, end, bars)) return true;
    float wide = length(end - start);
    if (wide < 16) return false;
    Point along = (1 / wide) * (end - start);
    float reach = std::min(4 + 0.05f * wide, longest);
    // Light falls off along a symbol: each end compares with the bars next to it.
    auto isPaper = [&](Point from, Point direction, const float *nearest) {
        auto [dark, light] = std::minmax_element(nearest, nearest + samples / 3);
        float middle = 0.5f * (*dark + *light);
        // The outer bar's own edge is blurred over a few pixels.
        for (float at = 3 + 0.01f * wide; at < reach; at += 1) {
            Point p = from + at * direction;
            if (!contains(corners({0, 0, luma.width - 1, luma.height - 1}), p)) return true;
            if (luma.at(int(p.x + 0.5f), int(p.y + 0.5f)) < middle) return false;
        }
        return true;
    };
    return isPaper(start, -1 * along, bars.data()) && isPaper(end, along, bars.data() + samples - samples / 3);
}

bool areConnected(const Luma &luma, const Quad &a, const Quad &b) {
    auto end = [](const Quad &q, int left, int right) { return 0.5f * (q[size_t(left)] + q[size_t(right)]); };
    Point fromStart = end(a, 0, 3), fromEnd = end(a, 1, 2), toStart = end(b, 0, 3), toEnd = end(b, 1, 2);
    // Labels side by side are two: one symbol's parts lie one above the other.
    Point moved = center(b) - center(a), reading = fromEnd - fromStart;
    if (std::abs(dot(moved, reading)) > 0.2f * dot(reading, reading)) return false;
    auto variance = [](const Profile &p) {
        float sum = 0, squares = 0;
        for (float v : p) sum += v, squares += v * v;
        return squares / samples - (sum / samples) * (sum / samples);
    };
    Profile line;
    if (!sample(luma, fromStart, fromEnd, line)) return false;
    float bars = variance(line);
    constexpr int steps = 32;
    for (int i = 1; i < steps; ++i) {
        float t = float(i) / steps;
        bool inside = sample(luma, fromStart + t * (toStart - fromStart), fromEnd + t * (toEnd - fromEnd), line);
        if (!inside || variance(line) < 0.3f * bars) return false;
    }
    return true;
}

} // namespace glimpse
