// SPDX-License-Identifier: Apache-2.0
#include "Appearance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace glimpse {
namespace {

constexpr int leastShorter = 16, leastLonger = 24; // pixels
constexpr int leastContrast = 24;                  // grey levels
constexpr float leastCoherence = 0.6f;             // of bars; below, a grid of modules is looked for
constexpr float leastGrid = 0.12f;                // see `Edges`; pictures of things have less
constexpr size_t leastTurns = 22;                  // between bars and spaces; of UPC-E 33, less where it is blurred
constexpr float around = 1.3f;                     // how much of the surroundings is looked at, in sizes
constexpr float mostPeriodic = 0.6f;               // correlation with itself at another place

struct Tones {
    float dark = 0, light = 0;
    float at(float share) const { return dark + share * (light - dark); }
};

Tones tones(const Luma &luma, const Rect &rect) {
    int histogram[256] = {}, count = 0, low = 0, high = 255;
    for (int y = rect.top; y < rect.bottom; y += 2)
        for (int x = rect.left; x < rect.right; x += 2) ++histogram[luma.at(x, y)], ++count;
    for (int n = 0; low < 255 && (n += histogram[low]) <= count / 20;) ++low;
    for (int n = 0; high > low && (n += histogram[high]) <= count / 20;) --high;
    return {float(low), float(high)};
}

/// Mean luma of the 3 x 3 pixels there; the nearest ones beside the picture.
float sampled(const Luma &luma, Point p) {
    int x = std::clamp(int(p.x), 1, luma.width - 2), y = std::clamp(int(p.y), 1, luma.height - 2), sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += luma.at(x + dx, y + dy);
    return float(sum) / 9;
}

float correlation(const float *a, const float *b, int count) {
    float sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0, n = float(count);
    for (int i = 0; i < count; ++i) sa += a[i], sb += b[i], saa += a[i] * a[i], sbb += b[i] * b[i], sab += a[i] * b[i];
    float va = saa - sa * sa / n, vb = sbb - sb * sb / n;
    return va <= 0 || vb <= 0 ? 0 : (sab - sa * sb / n) / std::sqrt(va * vb);
}

struct Edges {
    float coherence = 0, angle = 0; ///< as of `Region`, but radians
    float tilt = 0;                 ///< of a grid, radians
    float grid = 0;                 ///< 0: in all directions ... 1: in one and in that across it
};

Edges edges(const Luma &luma, const Rect &rect) {
    float xx = 0, yy = 0, xy = 0;
    double real = 0, imaginary = 0, sum = 0;
    int step = int(1 + rect.area() / 20'000); // some rows of large places
    for (int y = std::max(1, rect.top); y < std::min(luma.height - 1, rect.bottom); y += step) {
        const uint8_t *above = luma.row(y - 1), *row = luma.row(y), *below = luma.row(y + 1);
        for (int x = std::max(1, rect.left); x < std::min(luma.width - 1, rect.right); ++x) {
            float dx = float(row[x + 1]) - row[x - 1], dy = float(below[x]) - above[x];
            xx += dx * dx, yy += dy * dy, xy += dx * dy;
            float squared = dx * dx + dy * dy;
            if (squared < 400) continue; // noise
            float c = dx * dx - dy * dy, s = 2 * dx * dy;
            real += double((c * c - s * s) / squared), imaginary += double(2 * c * s / squared), sum += double(squared);
        }
    }
    Edges e;
    e.tilt = float(std::atan2(imaginary, real)) / 4;
    if (xx + yy > 0) e.coherence = std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy) / (xx + yy);
    e.angle = 0.5f * std::atan2(2 * xy, xx - yy);
    if (sum > 0) e.grid = float(std::hypot(real, imaginary) / sum);
    return e;
}

/// The sides of a rectangle at `angle` (radians) with the bounding box `rect`; near 45 degrees the two
/// sides look alike.
Point sides(const Rect &rect, float angle) {
    float c = std::abs(std::cos(angle)), s = std::abs(std::sin(angle));
    float w = float(rect.width()), h = float(rect.height()), determinant = c * c - s * s;
    if (std::abs(determinant) < 0.35f) return {(w + h) / 2 / (c + s) * 1.3f, (w + h) / 2 / (c + s) * 0.5f};
    return {(w * c - h * s) / determinant, (h * c - w * s) / determinant};
}

/// Bars: the lines across them are alike, their widths vary without a period, and paper is beside the first and the
/// last one.
bool hasBars(const Luma &luma, const Rect &rect, float angle) {
    constexpr int lines = 7, points = 208;
    Point along{std::cos(angle), std::sin(angle)}, down{-along.y, along.x}, size = sides(rect, angle);
    Point middle{0.5f * float(rect.left + rect.right), 0.5f * float(rect.top + rect.bottom)};
    if (size.x < leastLonger || size.y < 8) return false;
    std::array<std::array<float, points>, lines> profiles;
    std::array<float, points> mean{};
    for (size_t line = 0; line < lines; ++line)
        for (size_t i = 0; i < points; ++i) {
            float u = around * size.x * ((float(i) + 0.5f) / points - 0.5f);
            float v = 0.7f * size.y * ((float(line) + 0.5f) / lines - 0.5f);
            Point p = middle + u * along + v * down;
            int x = std::clamp(int(p.x), 0, luma.width - 1), y = std::clamp(int(p.y), 0, luma.height - 1);
            profiles[line][i] = luma.at(x, y);
            mean[i] += profiles[line][i] / lines;
        }
    auto [darkest, lightest] = std::minmax_element(mean.begin(), mean.end());
    Tones t{*darkest, *lightest};
    if (t.light - t.dark < leastContrast) return false;
    // The ends: the first stretch of paper each way that no symbol has between its bars.
    constexpr int quiet = int(0.07f * points / around);
    auto end = [&](int step) {
        int at = points / 2;
        for (int next = at, paper = 0; paper <= quiet; next += step) {
            if (next < 0 || next >= points) return -1;
            if (mean[size_t(next)] > t.at(0.65f)) ++paper;
            else at = next, paper = 0;
        }
        return at;
    };
    int first = end(-1), last = end(1), length = last + 1 - first;
    if (first < 0 || last < 0 || length < points / 2) return false;
    constexpr int margin = int(0.095f * points / around);
    for (int i = quiet; i < margin; ++i)
        if (first - i < 0 || last + i >= points || std::min(mean[size_t(first - i)], mean[size_t(last + i)]) < t.at(0.65f)) return false;
    for (int beyond : {first - margin, last + margin}) {
        Point p = middle + (around * size.x * ((float(beyond) + 0.5f) / points - 0.5f)) * along;
        if (!contains(corners(luma.rect()), p)) return false;
    }
    int alike = 0;
    for (const auto &profile : profiles) alike += correlation(&profile[size_t(first)], &mean[size_t(first)], length) > 0.85f;
    if (alike < lines - 1) return false;
    // Turns from dark to light and back, by a sixth of the contrast at least.
    std::vector<int> turns;
    int extreme = first;
    bool rises = true;
    for (int i = first; i <= last; ++i) {
        float value = mean[size_t(i)], best = mean[size_t(extreme)], least = (t.light - t.dark) / 6;
        if (rises ? value > best : value < best) extreme = i;
        else if (std::abs(value - best) > least) turns.push_back(extreme), extreme = i, rises = !rises;
    }
    if (turns.size() < leastTurns) return false;
    float sum = 0, squares = 0, n = float(turns.size() - 1);
    for (size_t i = 1; i < turns.size(); ++i) {
        float width = float(turns[i] - turns[i - 1]);
        sum += width, squares += width * width;
    }
    if (squares / n < 1.05f * (sum / n) * (sum / n)) return false;
    for (int lag = std::max(3, int(1.5f * sum / n)); lag < length / 2; ++lag)
        if (correlation(&mean[size_t(first)], &mean[size_t(first + lag)], length - lag) > mostPeriodic) return false;
    return true;
}

/// Modules: as much dark as light everywhere in an upright rectangle, no period, and paper on all four sides.
bool hasModules(const Luma &luma, const Rect &rect, float angle) {
    constexpr int n = 64;
    Point along{std::cos(angle), std::sin(angle)}, down{-along.y, along.x};
    float shrink = std::abs(along.x) + std::abs(along.y);
    float w = float(rect.width()), h = float(rect.height());
    if (std::min(w, h) < 28 || std::max(w, h) > 2 * std::min(w, h)) return false; // else a word
    if (shrink > 1.15f) w = h = 0.5f * (w + h);
    Point size{w / shrink, h / shrink}, middle{0.5f * float(rect.left + rect.right), 0.5f * float(rect.top + rect.bottom)};
    std::array<float, n * n> cells;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            Point p = middle + (around * size.x * ((float(x) + 0.5f) / n - 0.5f)) * along
                + (around * size.y * ((float(y) + 0.5f) / n - 0.5f)) * down;
            bool isInside = contains(corners({0, 0, luma.width - 1, luma.height - 1}), p);
            cells[size_t(y * n + x)] = isInside ? sampled(luma, p) : 0; // a code at the border is not wholly in view
        }
    std::array<float, n * n> sorted = cells;
    std::sort(sorted.begin(), sorted.end());
    Tones t{sorted[n * n / 20], sorted[n * n - n * n / 20]};
    if (t.light - t.dark < leastContrast) return false;
    auto isDark = [&](int x, int y) { return cells[size_t(y * n + x)] < t.at(0.5f); };
    // The rows and columns around the middle that have ink.
    auto ink = [&](bool rows, int from, int step) {
        int at = from;
        for (int next = from; next >= 0 && next < n; next += step) {
            int dark = 0;
            for (int i = n / 8; i < n - n / 8; ++i) dark += rows ? isDark(i, next) : isDark(next, i);
            if (dark >= 2) at = next;
            else if (std::abs(next - at) >= 3) break;
        }
        return at;
    };
    int left = ink(false, n / 2, -1), right = ink(false, n / 2, 1), top = ink(true, n / 2, -1), bottom = ink(true, n / 2, 1);
    int wide = right + 1 - left, tall = bottom + 1 - top;
    if (left < 4 || top < 4 || right > n - 5 || bottom > n - 5 || wide < n / 2 || tall < n / 2) return false;
    int paper = 0, ring = 0;
    for (int y = top - 3; y <= bottom + 3; ++y)
        for (int x = left - 3; x <= right + 3; ++x) {
            if (x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1) continue;
            ++ring, paper += cells[size_t(y * n + x)] > t.at(0.6f);
        }
    if (float(paper) < 0.93f * float(ring)) return false;
    int dark = 0;
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) dark += isDark(x, y);
    float share = float(dark) / float(wide * tall);
    if (share < 0.22f || share > 0.78f) return false;
    // Six by six parts: each has both tones.
    int mixed = 0;
    for (int part = 0; part < 36; ++part) {
        float low = 255, high = 0;
        for (int y = top + part / 6 * tall / 6; y < top + (part / 6 + 1) * tall / 6; ++y)
            for (int x = left + part % 6 * wide / 6; x < left + (part % 6 + 1) * wide / 6; ++x)
                low = std::min(low, cells[size_t(y * n + x)]), high = std::max(high, cells[size_t(y * n + x)]);
        mixed += high - low > 0.3f * (t.light - t.dark);
    }
    if (mixed < 33) return false;
    // Over lags from a sixth to a half of each side.
    std::vector<float> a, b;
    for (bool rows : {false, true})
        for (int lag = (rows ? tall : wide) / 6; lag <= (rows ? tall : wide) / 2; ++lag) {
            a.clear(), b.clear();
            for (int y = top; y <= bottom - (rows ? lag : 0); ++y)
                for (int x = left; x <= right - (rows ? 0 : lag); ++x)
                    a.push_back(cells[size_t(y * n + x)]), b.push_back(cells[size_t((rows ? y + lag : y) * n + (rows ? x : x + lag))]);
            if (correlation(a.data(), b.data(), int(a.size())) > mostPeriodic) return false;
        }
    return true;
}

} // namespace

bool looksLikeCode(const Luma &luma, const Rect &place) {
    Rect rect = intersection(place, luma.rect());
    if (luma.width < 3 || luma.height < 3 || rect.empty()) return false;
    if (std::min(rect.width(), rect.height()) < leastShorter || std::max(rect.width(), rect.height()) < leastLonger) return false;
    Tones t = tones(luma, rect);
    if (t.light - t.dark < leastContrast) return false;
    Edges e = edges(luma, rect);
    if (e.coherence > leastCoherence) return hasBars(luma, rect, e.angle);
    return e.grid > leastGrid && hasModules(luma, rect, e.tilt);
}

} // namespace glimpse
