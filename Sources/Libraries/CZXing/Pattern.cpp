// SPDX-License-Identifier: Apache-2.0
#include "Pattern.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace glimpse {
namespace {

constexpr float quietZone = 0.08f;            // of a side, beyond the quadrilateral: its place against the paper counts
constexpr float coarseSide = 16, fineSide = 34; // pixels of the level
constexpr float fineLine = 100;               // the same for linear symbols, whose modules are many
constexpr int coarseRows = 6, fineRows = 10;  // and whose rows are all alike
constexpr int coarseReach = 8;                // pixels of the level: half the size of a matrix symbol
constexpr int coarseSteps = 6, fineSteps = 8;
constexpr float leastDeviation = 4;           // grey levels
constexpr float leastShare = 0.7f;            // of the samples that must lie in the picture
constexpr float goodLikeness = 0.7f;          // below, the surroundings are searched
constexpr float fineLikeness = 0.9f;          // above, the prediction was near enough for the fine level alone

float longerSide(const Quad &q) {
    return std::max({length(q[1] - q[0]), length(q[2] - q[1]), length(q[3] - q[2]), length(q[0] - q[3])});
}

/// Inverts a symmetric positive definite matrix by Gauss-Jordan; false if it is singular.
bool invert(std::array<double, 36> m, std::array<float, 36> &out) {
    std::array<double, 36> inverse{};
    for (size_t i = 0; i < 6; ++i) inverse[7 * i] = 1;
    for (size_t i = 0; i < 6; ++i) {
        size_t pivot = i;
        for (size_t r = i + 1; r < 6; ++r)
            if (std::abs(m[6 * r + i]) > std::abs(m[6 * pivot + i])) pivot = r;
        if (std::abs(m[6 * pivot + i]) < 1e-6) return false;
        for (size_t c = 0; c < 6; ++c) std::swap(m[6 * i + c], m[6 * pivot + c]), std::swap(inverse[6 * i + c], inverse[6 * pivot + c]);
        double scale = 1 / m[7 * i];
        for (size_t c = 0; c < 6; ++c) m[6 * i + c] *= scale, inverse[6 * i + c] *= scale;
        for (size_t r = 0; r < 6; ++r) {
            if (r == i) continue;
            double factor = m[6 * r + i];
            for (size_t c = 0; c < 6; ++c) m[6 * r + c] -= factor * m[6 * i + c], inverse[6 * r + c] -= factor * inverse[6 * i + c];
        }
    }
    for (size_t i = 0; i < 36; ++i) out[i] = float(inverse[i]);
    return true;
}

/// The affine map that takes `from` to `to` with the least sum of squares; both relative to their own middles.
Affine fitted(const Quad &from, Point fromMiddle, const Quad &to, float unit) {
    Point toMiddle = center(to);
    double xx = 0, xy = 0, yy = 0, ux = 0, uy = 0, vx = 0, vy = 0;
    for (size_t i = 0; i < 4; ++i) {
        Point p = (1 / unit) * (from[i] - fromMiddle), q = (1 / unit) * (to[i] - toMiddle);
        xx += p.x * p.x, xy += p.x * p.y, yy += p.y * p.y;
        ux += q.x * p.x, uy += q.x * p.y, vx += q.y * p.x, vy += q.y * p.y;
    }
    double determinant = xx * yy - xy * xy;
    Point moved = (1 / unit) * (toMiddle - fromMiddle);
    if (std::abs(determinant) < 1e-9) return {1, 0, moved.x, 0, 1, moved.y};
    auto solve = [&](double x, double y) {
        return std::pair<float, float>{float((x * yy - y * xy) / determinant), float((y * xx - x * xy) / determinant)};
    };
    auto [a, b] = solve(ux, uy);
    auto [d, e] = solve(vx, vy);
    return {a, b, moved.x, d, e, moved.y};
}

} // namespace

void Pattern::Reduced::make(const Luma &luma, const Rect &rect, int by) {
    factor = by;
    origin = {float(rect.left), float(rect.top)};
    width = rect.width() / by, height = rect.height() / by;
    pixels.resize(size_t(width) * size_t(height));
    std::vector<uint32_t> sums(size_t(width) * size_t(by));
    float scale = 1 / float(by * by);
    for (int y = 0; y < height; ++y) {
        float *to = &pixels[size_t(y) * size_t(width)];
        if (by == 1) {
            const uint8_t *from = luma.row(rect.top + y) + rect.left;
            for (int x = 0; x < width; ++x) to[x] = from[x];
            continue;
        }
        std::fill(sums.begin(), sums.end(), 0);
        for (int k = 0; k < by; ++k) {
            const uint8_t *from = luma.row(rect.top + y * by + k) + rect.left;
            for (size_t x = 0; x < sums.size(); ++x) sums[x] += from[x];
        }
        for (int x = 0; x < width; ++x) {
            uint32_t sum = 0;
            for (int k = 0; k < by; ++k) sum += sums[size_t(x * by + k)];
            to[x] = scale * float(sum);
        }
    }
}

bool Pattern::Reduced::sample(Point p, float &out) const {
    float x = (p.x - origin.x + 0.5f) / float(factor) - 0.5f, y = (p.y - origin.y + 0.5f) / float(factor) - 0.5f;
    if (!(x >= 0 && y >= 0 && x < float(width - 1) && y < float(height - 1))) return false;
    int x0 = int(x), y0 = int(y);
    float fx = x - float(x0), fy = y - float(y0);
    const float *top = &pixels[size_t(y0) * size_t(width) + size_t(x0)], *bottom = top + width;
    float upper = top[0] + fx * (top[1] - top[0]), lower = bottom[0] + fx * (bottom[1] - bottom[0]);
    out = upper + fy * (lower - upper);
    return true;
}

bool Pattern::learn(const Luma &luma, const Quad &quad) {
    quad_ = quad, middle_ = center(quad);
    size_ = std::sqrt(area(quad));
    float longer = longerSide(quad);
    if (!(longer >= 8 && longer < 32768 && area(quad) >= 32)) return false;
    bool isLinear = longer * longer > 2 * area(quad);
    bool isLying = length(quad[1] - quad[0]) >= length(quad[3] - quad[0]);
    fine_.target = isLinear ? fineLine : fineSide;
    coarse_.target = isLinear ? 2 * coarseSide : coarseSide;
    fine_.mostRows = isLinear && isLying ? fineRows : 64;
    coarse_.mostRows = isLinear && isLying ? coarseRows : 64;
    return learn(fine_, luma) && learn(coarse_, luma);
}

bool Pattern::learn(Level &level, const Luma &luma) const {
    float longer = longerSide(quad_);
    int factor = std::max(1, int(std::lround(longer / level.target)));
    Reduced reduced;
    int margin = int(2 * quietZone * longer) + 3 * factor;
    Rect b = bounds(quad_);
    Rect rect = intersection({b.left - margin, b.top - margin, b.right + margin, b.bottom + margin}, luma.rect());
    if (rect.width() < 4 * factor || rect.height() < 4 * factor) return false;
    reduced.make(luma, rect, factor);

    float across = std::max(length(quad_[1] - quad_[0]), length(quad_[2] - quad_[3]));
    float down = std::max(length(quad_[3] - quad_[0]), length(quad_[2] - quad_[1]));
    float step = std::max(float(factor), longer / level.target);
    auto count = [&](float side) { return std::clamp(int((1 + 2 * quietZone) * side / step), 6, int(1.3f * level.target)); };
    int columns = count(across), rows = std::min(count(down), level.mostRows);
    level.samples.clear();
    double sum = 0, squares = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            float u = -quietZone + (1 + 2 * quietZone) * (float(column) + 0.5f) / float(columns);
            float v = -quietZone + (1 + 2 * quietZone) * (float(row) + 0.5f) / float(rows);
            Point p = (1 - v) * ((1 - u) * quad_[0] + u * quad_[1]) + v * ((1 - u) * quad_[3] + u * quad_[2]);
            float value, left, right, above, below, h = float(factor);
            if (!(reduced.sample(p, value) && reduced.sample(p - Point{h, 0}, left) && reduced.sample(p + Point{h, 0}, right)
                  && reduced.sample(p - Point{0, h}, above) && reduced.sample(p + Point{0, h}, below)))
                continue;
            // Parameters are in units of the symbol's size, so that the six are of one magnitude.
            Point place = (1 / size_) * (p - middle_);
            float gx = size_ * (right - left) / (2 * h), gy = size_ * (below - above) / (2 * h);
            bool isInside = u >= 0 && u <= 1 && v >= 0 && v <= 1;
            level.samples.push_back({place, value, {gx * place.x, gx * place.y, gx, gy * place.x, gy * place.y, gy}, isInside});
            sum += value, squares += double(value) * value;
        }
    double n = double(level.samples.size());
    if (n < double(leastShare) * columns * rows) return false;
    double mean = sum / n, deviation = std::sqrt(std::max(0.0, squares / n - mean * mean));
    if (deviation < leastDeviation) return false;

    std::array<double, 6> means{};
    for (Sample &s : level.samples) {
        s.value = float((s.value - mean) / deviation);
        for (size_t i = 0; i < 6; ++i) s.descent[i] = float(s.descent[i] / deviation), means[i] += double(s.descent[i]) / n;
    }
    std::array<double, 36> hessian{};
    for (Sample &s : level.samples) {
        for (size_t i = 0; i < 6; ++i) s.descent[i] -= float(means[i]);
        for (size_t i = 0; i < 6; ++i)
            for (size_t j = 0; j < 6; ++j) hessian[6 * i + j] += double(s.descent[i]) * double(s.descent[j]);
    }
    return invert(hessian, level.inverse);
}

bool Pattern::show(const Level &level, const Luma &luma, const Affine &warp, float reach) {
    Quad there;
    for (size_t i = 0; i < 4; ++i) there[i] = middle_ + size_ * warp((1 / size_) * (quad_[i] - middle_));
    float longer = longerSide(there);
    if (!(longer >= 8 && longer < 32768)) return false;
    int factor = std::max(1, int(std::lround(longer / level.target)));
    int margin = int((quietZone + reach) * longer) + 4 * factor;
    Rect b = bounds(there);
    Rect rect = intersection({b.left - margin, b.top - margin, b.right + margin, b.bottom + margin}, luma.rect());
    if (rect.width() < 4 * factor || rect.height() < 4 * factor) return false;
    reduced_.make(luma, rect, factor);
    return true;
}

/// Fills `seen_` with the samples under the warp, of zero mean and unit variance. The deviation, or 0 if too few are in
/// the picture.
float Pattern::normalise(const Level &level, const Affine &warp) {
    size_t count = level.samples.size(), valid = 0;
    seen_.resize(count), isSeen_.resize(count);
    float sum = 0, squares = 0;
    // The warp straight to pixels of the reduced copy, as in `Reduced::sample`.
    float scale = size_ / float(reduced_.factor);
    Point zero = (1 / float(reduced_.factor)) * (middle_ - reduced_.origin + Point{0.5f, 0.5f}) - Point{0.5f, 0.5f};
    Affine w{scale * warp.a, scale * warp.b, scale * warp.c + zero.x, scale * warp.d, scale * warp.e, scale * warp.f + zero.y};
    float right = float(reduced_.width - 1), bottom = float(reduced_.height - 1);
    for (size_t i = 0; i < count; ++i) {
        Point p = w(level.samples[i].place);
        isSeen_[i] = p.x >= 0 && p.y >= 0 && p.x < right && p.y < bottom;
        if (!isSeen_[i]) continue;
        int x = int(p.x), y = int(p.y);
        float fx = p.x - float(x), fy = p.y - float(y);
        const float *above = &reduced_.pixels[size_t(y) * size_t(reduced_.width) + size_t(x)], *below = above + reduced_.width;
        float upper = above[0] + fx * (above[1] - above[0]), lower = below[0] + fx * (below[1] - below[0]);
        float value = upper + fy * (lower - upper);
        seen_[i] = value;
        ++valid, sum += value, squares += value * value;
    }
    if (float(valid) < leastShare * float(count)) return 0;
    float mean = sum / float(valid), deviation = std::sqrt(std::max(0.0f, squares / float(valid) - mean * mean));
    if (deviation < 1) return 0;
    for (size_t i = 0; i < count; ++i) seen_[i] = isSeen_[i] ? (seen_[i] - mean) / deviation : level.samples[i].value;
    return deviation;
}

float Pattern::correlate(const Level &level, const Affine &warp, bool insideOnly) {
    if (normalise(level, warp) == 0) return 0;
    float n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < seen_.size(); ++i) {
        const Sample &s = level.samples[i];
        if (!isSeen_[i] || (insideOnly && !s.isInside)) continue;
        float x = seen_[i], y = s.value;
        n += 1, a += x, b += y, aa += x * x, bb += y * y, ab += x * y;
    }
    float va = aa - a * a / n, vb = bb - b * b / n;
    return n < 8 || va <= 0 || vb <= 0 ? 0 : (ab - a * b / n) / std::sqrt(va * vb);
}

/// Improves the warp. The likeness of the inside afterwards.
float Pattern::align(const Level &level, const Luma &luma, Affine &warp, int iterations) {
    if (!show(level, luma, warp, 0.1f)) return 0;
    for (int step = 0; step < iterations; ++step) {
        if (normalise(level, warp) == 0) return 0;
        std::array<float, 6> right{}, delta{};
        for (size_t i = 0; i < seen_.size(); ++i) {
            float error = seen_[i] - level.samples[i].value;
            for (size_t k = 0; k < 6; ++k) right[k] += error * level.samples[i].descent[k];
        }
        for (size_t i = 0; i < 6; ++i)
            for (size_t k = 0; k < 6; ++k) delta[i] += level.inverse[6 * i + k] * right[k];
        // warp := warp after the inverse of (1 + delta).
        float a = 1 + delta[0], b = delta[1], c = delta[2], d = delta[3], e = 1 + delta[4], f = delta[5];
        float determinant = a * e - b * d;
        if (!(determinant > 0.25f && determinant < 4)) return 0;
        Affine back{e / determinant, -b / determinant, (b * f - c * e) / determinant,
                    -d / determinant, a / determinant, (c * d - a * f) / determinant};
        warp = {warp.a * back.a + warp.b * back.d, warp.a * back.b + warp.b * back.e, warp.a * back.c + warp.b * back.f + warp.c,
                warp.d * back.a + warp.e * back.d, warp.d * back.b + warp.e * back.e, warp.d * back.c + warp.e * back.f + warp.f};
        float most = 0;
        for (float v : delta) most = std::max(most, std::abs(v));
        if (most * size_ < 0.03f * float(reduced_.factor)) break;
    }
    return correlate(level, warp, true);
}

/// The best of the whole-pixel shifts of a level around the warp, `most` pixels of the level each way.
float Pattern::shifted(const Level &level, const Luma &luma, Affine &warp, int most) {
    if (!show(level, luma, warp, float(most) / level.target)) return 0;
    float step = float(reduced_.factor) / size_, best = 0;
    Affine at = warp;
    for (int y = -most; y <= most; ++y)
        for (int x = -most; x <= most; ++x) {
            Affine tried = at;
            tried.c += float(x) * step, tried.f += float(y) * step;
            float likeness = correlate(level, tried, false);
            if (likeness > best) best = likeness, warp = tried;
        }
    return best;
}

Pattern::Place Pattern::find(const Luma &luma, const Quad &start) {
    if (fine_.samples.empty()) return {};
    Affine first = fitted(quad_, middle_, start, size_), best = first;
    auto refined = [&](Affine &warp) {
        align(coarse_, luma, warp, coarseSteps);
        return align(fine_, luma, warp, fineSteps);
    };
    float likeness = align(fine_, luma, best, fineSteps);
    if (likeness < fineLikeness) {
        Affine other = first;
        float again = refined(other);
        if (again > likeness) likeness = again, best = other;
    }
    if (likeness < goodLikeness) {
        Affine other = first;
        // Bars of a pixel or two are grey on the coarse level: its answer is no better than a pixel of its own.
        int ratio = int(std::ceil(fine_.target / coarse_.target));
        if (shifted(coarse_, luma, other, coarseReach) > 0.3f && shifted(fine_, luma, other, ratio) > 0.3f) {
            float again = align(fine_, luma, other, fineSteps);
            if (again > likeness) likeness = again, best = other;
        }
    }
    float growth = (best.a * best.e - best.b * best.d) / (first.a * first.e - first.b * first.d);
    if (!(likeness > 0 && growth > 0.5f && growth < 2)) return {};
    Place place;
    place.likeness = likeness;
    for (size_t i = 0; i < 4; ++i) place.quad[i] = middle_ + size_ * best((1 / size_) * (quad_[i] - middle_));
    return place;
}

} // namespace glimpse
