// SPDX-License-Identifier: Apache-2.0
#include "BarStrip.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

constexpr int mostSamples = 512, mostRows = 24, fewestRows = 4;
constexpr float mostSlip = 0.25f;      // of the bars against the perpendicular: the angle's error as a tangent
constexpr float mostFan = 0.25f;       // by which the two ends differ from their mean
constexpr float sameBars = 0.6f;       // correlation of a row with the mean of all, as a share of the better rows'
// A share of the bars' width. Spaces of EAN and UPC have at most 4 of 51 to 95 modules, which is less or hardly more.
constexpr float quietGap = 0.05f;
constexpr float activity = 0.25f;       // of the steepest edges: less is paper
constexpr size_t mostSpans = 3;
constexpr int searchStride = 2;    // of the rows that the slip is looked for in
constexpr float leastTurn = 0.12f; // of the line's range
constexpr int leastTurns = 20;     // of UPC-E 33, less where it is blurred

/// How far the bars stand aslant at the two ends of the rows, as tangents. Paper seen from the side makes a fan of the
/// bars.
struct Slip {
    float start = 0, end = 0;
};

/// Rows of luma, `step` pixels between samples.
struct Rows {
    std::vector<float> samples;
    int count = 0, length = 0;
    float step = 1, spacing = 1; ///< pixels between samples and between rows

    Rows(const Luma &luma, Point start, Point along, Point across, int count, int length, float step, float spacing)
        : samples(size_t(count) * size_t(length)), count(count), length(length), step(step), spacing(spacing) {
        for (int r = 0; r < count; ++r)
            for (int i = 0; i < length; ++i) {
                Point p = start + (float(i) * step) * along + (float(r) * spacing) * across;
                float x = std::clamp(p.x - 0.5f, 0.0f, float(luma.width - 1)), y = std::clamp(p.y - 0.5f, 0.0f, float(luma.height - 1));
                int ix = std::min(int(x), luma.width - 2), iy = std::min(int(y), luma.height - 2);
                float fx = x - float(ix), fy = y - float(iy);
                const uint8_t *top = luma.row(iy) + ix, *bottom = luma.row(iy + 1) + ix;
                float upper = top[0] + fx * float(top[1] - top[0]), lower = bottom[0] + fx * float(bottom[1] - bottom[0]);
                samples[size_t(r * length + i)] = upper + fy * (lower - upper);
            }
    }

    float middle() const { return 0.5f * float(count - 1); }

    /// The mean of every `stride`th row from `first` to before `last`, each moved by the slip.
    void mean(Slip slip, int first, int last, std::vector<float> &out, int stride = 1) const {
        out.assign(size_t(length), 0);
        for (int r = first; r < last; r += stride) {
            float v = (float(r) - middle()) * spacing / step;
            const float *row = &samples[size_t(r * length)];
            float at = v * slip.start, pace = 1 + v * (slip.end - slip.start) / float(length);
            for (int i = 0; i < length; ++i, at += pace) {
                float within = std::clamp(at, 0.0f, float(length) - 1.01f);
                int k = int(within);
                out[size_t(i)] += row[k] + (within - float(k)) * (row[k + 1] - row[k]);
            }
        }
        for (float &v : out) v /= float((last - first + stride - 1) / stride);
    }
};

/// The contrast of the line's slope, so that light does not matter.
float contrast(const std::vector<float> &line) {
    float sum = 0;
    for (size_t i = 1; i < line.size(); ++i) sum += (line[i] - line[i - 1]) * (line[i] - line[i - 1]);
    return sum;
}

float correlation(const std::vector<float> &a, const std::vector<float> &b, size_t from, size_t to) {
    float sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0, n = float(to - from);
    for (size_t i = from; i < to; ++i) sa += a[i], sb += b[i], saa += a[i] * a[i], sbb += b[i] * b[i], sab += a[i] * b[i];
    float va = saa - sa * sa / n, vb = sbb - sb * sb / n;
    return va <= n || vb <= n ? 0 : (sab - sa * sb / n) / std::sqrt(va * vb);
}

/// The slip at which the mean of the rows is sharpest.
Slip sharpestSlip(const Rows &rows, std::vector<float> &line) {
    Slip best;
    float most = -1, tall = float(rows.count) * rows.spacing, step = std::max(0.01f, 2 * rows.step / tall);
    auto attempt = [&](float both, float apart) {
        Slip slip{both - apart, both + apart};
        rows.mean(slip, 0, rows.count, line, searchStride);
        if (float c = contrast(line); c > most) most = c, best = slip;
    };
    for (float both = 0; both <= mostSlip; both += step) attempt(both, 0), attempt(-both, 0);
    float both = best.start;
    for (float apart = step / 2; apart <= mostFan; apart += step / 2) attempt(both, apart), attempt(both, -apart);
    for (; step * tall > 0.4f * rows.step; step /= 2)
        for (float before = 0; most > before;) {
            before = most;
            float middle = 0.5f * (best.start + best.end), apart = 0.5f * (best.end - best.start), half = step / 2;
            for (auto [x, y] : {std::pair{half, 0.0f}, {0.0f, half}, {half, half}, {half, -half}})
                attempt(middle + x, apart + y), attempt(middle - x, apart - y);
        }
    return best;
}

/// The longest run of rows that look like the mean of all.
std::pair<int, int> agreeingRows(const Rows &rows, Slip slip) {
    std::vector<float> mean, row, likeness;
    rows.mean(slip, 0, rows.count, mean);
    size_t edge = size_t(rows.length) / 8;
    for (int r = 0; r < rows.count; ++r) {
        rows.mean(slip, r, r + 1, row);
        likeness.push_back(correlation(mean, row, edge, size_t(rows.length) - edge));
    }
    auto sorted = likeness;
    std::sort(sorted.begin(), sorted.end());
    float least = sameBars * sorted[sorted.size() * 3 / 4];
    std::pair<int, int> longest{0, 0};
    for (int r = 0, first = 0; r <= rows.count; ++r)
        if (r == rows.count || likeness[size_t(r)] <= least) {
            if (r - first > longest.second - longest.first) longest = {first, r};
            first = r + 1;
        }
    return longest;
}

} // namespace

std::vector<int> turns(const std::vector<float> &line, int from, int to) {
    auto sorted = std::vector<float>(line.begin() + from, line.begin() + to);
    std::sort(sorted.begin(), sorted.end());
    float least = leastTurn * (sorted[sorted.size() * 19 / 20] - sorted[sorted.size() / 20]);
    std::vector<int> out;
    int direction = 0, last = from;
    for (int i = from; i < to; ++i) {
        float change = line[size_t(i)] - line[size_t(last)];
        if (direction * change > 0) last = i;
        else if (std::abs(change) > least) out.push_back(last), direction = change > 0 ? 1 : -1, last = i;
    }
    return out;
}

std::vector<std::pair<float, float>> barSpans(const std::vector<float> &line, float expected, float pixel) {
    std::vector<float> slope(line.size(), 0);
    for (size_t i = 1; i + 1 < line.size(); ++i) slope[i] = std::abs(line[i + 1] - line[i - 1]);
    auto sorted = slope;
    std::sort(sorted.begin(), sorted.end());
    float least = activity * sorted[sorted.size() * 9 / 10];
    int gap = std::max(int(4 * pixel), int(quietGap * expected));
    std::vector<std::pair<int, int>> runs;
    for (int i = 0; i < int(slope.size()); ++i) {
        if (slope[size_t(i)] <= least) continue;
        if (runs.empty() || i - runs.back().second > gap) runs.emplace_back(i, i);
        runs.back().second = i;
    }
    struct Span {
        float from, to, score;
    };
    std::vector<Span> found;
    float n = float(line.size());
    auto between = [&](size_t i, size_t j) { return float(runs[j].first - runs[i].second); };
    for (size_t i = 0; i < runs.size(); ++i) {
        float inner = 0, before = i > 0 ? between(i - 1, i) : float(runs[i].first);
        for (size_t j = i; j < runs.size(); ++j) {
            if (j > i) inner = std::max(inner, between(j - 1, j));
            float wide = float(runs[j].second - runs[i].first);
            if (wide < 0.4f * expected || wide < 40 * pixel || int(turns(line, runs[i].first, runs[j].second).size()) < leastTurns) continue;
            float after = j + 1 < runs.size() ? between(j, j + 1) : n - float(runs[j].second);
            // The outer bars' edges are steepest about a pixel within.
            found.push_back({(float(runs[i].first) + 0.5f + pixel) / n, (float(runs[j].second) + 0.5f - pixel) / n,
                             (std::min({before, after, wide / 8}) - inner) / wide});
        }
    }
    std::sort(found.begin(), found.end(), [](auto &a, auto &b) { return a.score > b.score; });
    std::vector<std::pair<float, float>> out;
    for (size_t i = 0; i < std::min(found.size(), mostSpans); ++i) out.emplace_back(found[i].from, found[i].to);
    return out;
}

std::optional<BarStrip> findBars(const Luma &luma, const Rect &region, float angle) {
    float radians = angle / 57.29578f, c = std::cos(radians), s = std::sin(radians);
    Point along{c, s}, across{-s, c};
    float w = 0.5f * float(region.width()), h = 0.5f * float(region.height());
    auto reach = [&](float a, float b) { return std::min(w / std::max(0.001f, std::abs(a)), h / std::max(0.001f, std::abs(b))); };
    float half = reach(c, s), tall = 0.9f * reach(s, c), padded = 1.24f * half + 8;
    if (luma.width < 2 || luma.height < 2 || tall < 2 || half < 20) return std::nullopt;
    int count = std::clamp(int(2 * tall), fewestRows, mostRows), length = std::min(int(2 * padded), mostSamples);
    float step = 2 * padded / float(length), spacing = 2 * tall / float(count);
    Point middle{float(region.left) + w, float(region.top) + h};
    Point start = middle - padded * along - (spacing * 0.5f * float(count - 1)) * across;
    Rows rows(luma, start, along, across, count, length, step, spacing);
    std::vector<float> line;
    Slip slip = sharpestSlip(rows, line);
    auto [first, last] = agreeingRows(rows, slip);
    if (last - first < fewestRows) return std::nullopt;
    rows.mean(slip, first, last, line);
    BarStrip strip;
    auto corner = [&](float row, float end) {
        float v = (row - rows.middle()) * spacing;
        return middle + (end * padded + (end < 0 ? slip.start : slip.end) * v) * along + v * across;
    };
    float top = float(first) - 0.5f, bottom = float(last) - 0.5f;
    strip.quad = {corner(top, -1), corner(top, 1), corner(bottom, 1), corner(bottom, -1)};
    strip.spans = barSpans(line, 2 * half / step, 1);
    strip.expected = half / padded;
    if (strip.spans.empty()) return std::nullopt;
    return strip;
}

} // namespace glimpse
