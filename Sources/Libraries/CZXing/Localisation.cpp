// SPDX-License-Identifier: Apache-2.0
#include "Localisation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glimpse {
namespace {

/// Mean squared gradient (central differences, grey levels) above which a cell may be part of a code. The edges of a
/// code have it at a contrast of about 40 grey levels. Coarse cells are flat inside large modules.
constexpr float fineThreshold = 150, coarseThreshold = 60;
/// Noise raises both thresholds: by this factor over the quietest quarter of the cells, up to a limit. Codes of
/// ordinary contrast exceed the limit however much of the picture they fill.
constexpr float overNoise = 2.5f, noiseLimit = 700;
constexpr int coarsePooling = 4;
/// A cell of bars has this coherence. The directions of two neighbours differ by at most 20 degrees; the second number
/// is the cosine of twice that.
constexpr float barCoherence = 0.65f, likeDirection = 0.75f;

/// Sums of squares of one cell's part of one row.
void accumulate(const uint8_t *above, const uint8_t *row, const uint8_t *below, int count, int32_t *sums) {
    int32_t xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < count; ++i) {
        int32_t dx = int32_t(row[i + 1]) - row[i - 1], dy = int32_t(below[i]) - above[i];
        xx += dx * dx, yy += dy * dy, xy += dx * dy;
    }
    sums[0] += xx, sums[1] += yy, sums[2] += xy;
}

} // namespace

void Localisation::measure(const Luma &luma) {
    width_ = luma.width, height_ = luma.height;
    cell_ = 8 * std::max(1, (std::max(width_, height_) + 1023) / 2048);
    columns_ = (width_ + cell_ - 1) / cell_, rows_ = (height_ + cell_ - 1) / cell_;
    cells_.assign(size_t(columns_) * size_t(rows_), {});
    std::vector<int32_t> sums(size_t(columns_) * 3);
    for (int cellRow = 0; cellRow < rows_; ++cellRow) {
        std::fill(sums.begin(), sums.end(), 0);
        int first = std::max(1, cellRow * cell_), last = std::min(height_ - 1, (cellRow + 1) * cell_);
        int lines = 0;
        for (int y = first; y < last; y += cell_ / 4, ++lines)
            for (int column = 0; column < columns_; ++column) {
                int x = std::max(1, column * cell_), end = std::min(width_ - 1, (column + 1) * cell_);
                if (x < end)
                    accumulate(luma.row(y - 1) + x, luma.row(y) + x, luma.row(y + 1) + x, end - x,
                               &sums[size_t(column) * 3]);
            }
        float scale = lines ? 1.0f / float(lines * cell_) : 0;
        for (int column = 0; column < columns_; ++column) {
            const int32_t *s = &sums[size_t(column) * 3];
            cells_[size_t(cellRow) * size_t(columns_) + size_t(column)] = {
                scale * float(s[0]), scale * float(s[1]), scale * float(s[2])};
        }
    }
    noise_ = std::min(overNoise * noise(), noiseLimit);
}

void Localisation::erase(const Quad &quad) {
    Rect r = intersection(bounds(quad), {0, 0, width_, height_});
    for (int row = r.top / cell_; row * cell_ < r.bottom && row < rows_; ++row)
        for (int column = r.left / cell_; column * cell_ < r.right && column < columns_; ++column) {
            Point middle{(float(column) + 0.5f) * float(cell_), (float(row) + 0.5f) * float(cell_)};
            if (contains(grown(quad, 1.5f * float(cell_)), middle))
                cells_[size_t(row) * size_t(columns_) + size_t(column)] = {};
        }
}

void Localisation::collect(int pooling, float threshold, std::vector<Region> &out) const {
    int columns = (columns_ + pooling - 1) / pooling, rows = (rows_ + pooling - 1) / pooling;
    std::vector<Tensor> pooled(size_t(columns) * size_t(rows));
    for (int y = 0; y < rows_; ++y)
        for (int x = 0; x < columns_; ++x)
            pooled[size_t(y / pooling) * size_t(columns) + size_t(x / pooling)].add(
                cells_[size_t(y) * size_t(columns_) + size_t(x)]);
    float perCell = 1.0f / float(pooling * pooling);
    std::vector<uint8_t> open(pooled.size());
    for (size_t i = 0; i < pooled.size(); ++i) open[i] = pooled[i].energy() * perCell > threshold;
    join(pooled, columns, pooling, std::move(open), [](const Tensor &, const Tensor &) { return true; }, out);
}

/// Adds the regions of open cells that touch and are alike.
template <class Like>
void Localisation::join(
    const std::vector<Tensor> &cells, int columns, int pooling, std::vector<uint8_t> open, Like isLike, std::vector<Region> &out) const {
    int rows = columns > 0 ? int(cells.size()) / columns : 0;
    std::vector<int> stack;
    for (int start = 0; start < int(open.size()); ++start) {
        if (!open[size_t(start)]) continue;
        Rect box{columns, rows, 0, 0};
        Tensor sum;
        int count = 0;
        stack.assign(1, start);
        open[size_t(start)] = 0;
        while (!stack.empty()) {
            int at = stack.back();
            stack.pop_back();
            int x = at % columns, y = at / columns;
            box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x + 1), std::max(box.bottom, y + 1)};
            sum.add(cells[size_t(at)]);
            ++count;
            for (int ny = std::max(0, y - 1); ny <= std::min(rows - 1, y + 1); ++ny)
                for (int nx = std::max(0, x - 1); nx <= std::min(columns - 1, x + 1); ++nx)
                    if (int next = ny * columns + nx; open[size_t(next)] && isLike(cells[size_t(at)], cells[size_t(next)])) {
                        open[size_t(next)] = 0;
                        stack.push_back(next);
                    }
        }
        out.push_back(region(box, sum, count, pooling));
    }
}

float Localisation::Tensor::spread() const { return std::hypot(xx - yy, 2 * xy); }

float Localisation::Tensor::angle() const { return 0.5f * std::atan2(2 * xy, xx - yy) * 57.29578f; }

/// The region of `count` pooled cells, whose sum is `sum`.
Region Localisation::region(const Rect &cells, const Tensor &sum, int count, int pooling) const {
    int side = cell_ * pooling;
    Rect rect = intersection({cells.left * side, cells.top * side, cells.right * side, cells.bottom * side},
                             {0, 0, width_, height_});
    float energy = sum.energy();
    return {rect, energy / float(count * pooling * pooling), energy > 0 ? sum.spread() / energy : 0, sum.angle(), pooling > 1};
}

std::vector<Region> Localisation::bars() const {
    std::vector<uint8_t> open(cells_.size());
    for (size_t i = 0; i < cells_.size(); ++i) {
        float energy = cells_[i].energy();
        open[i] = energy > std::max(fineThreshold, noise_) && cells_[i].spread() > barCoherence * energy;
    }
    auto isLike = [](const Tensor &a, const Tensor &b) {
        float dot = (a.xx - a.yy) * (b.xx - b.yy) + 4 * a.xy * b.xy;
        return dot > likeDirection * a.spread() * b.spread();
    };
    std::vector<Region> out;
    join(cells_, columns_, 1, std::move(open), isLike, out);
    return out;
}

float Localisation::noise() const {
    std::vector<float> energies(cells_.size());
    std::transform(cells_.begin(), cells_.end(), energies.begin(), [](const Tensor &t) { return t.energy(); });
    auto quarter = energies.begin() + std::ptrdiff_t(energies.size() / 4);
    std::nth_element(energies.begin(), quarter, energies.end());
    return *quarter;
}

std::vector<Region> Localisation::regions() const {
    std::vector<Region> out;
    // At several levels: a code stands out of the texture around it at one of them.
    for (float level : {1.0f, 4.0f, 12.0f}) collect(1, level * std::max(fineThreshold, noise_), out);
    for (float level : {1.0f, 4.0f}) collect(coarsePooling, level * std::max(coarseThreshold, noise_), out);
    auto strength = [](const Region &r) { return r.energy * std::sqrt(float(std::min(r.rect.area(), 128L * 128L))); };
    std::stable_sort(out.begin(), out.end(), [&](auto &a, auto &b) { return strength(a) > strength(b); });
    return out;
}

Direction mainDirection(const Luma &luma, const Rect &rect) {
    double xx = 0, yy = 0, xy = 0;
    for (int y = std::max(1, rect.top); y < std::min(luma.height - 1, rect.bottom); ++y) {
        int x = std::max(1, rect.left), end = std::min(luma.width - 1, rect.right);
        int32_t sums[3] = {};
        if (x < end) accumulate(luma.row(y - 1) + x, luma.row(y) + x, luma.row(y + 1) + x, end - x, sums);
        xx += sums[0], yy += sums[1], xy += sums[2];
    }
    if (xx + yy <= 0) return {};
    return {float(std::hypot(xx - yy, 2 * xy) / (xx + yy)), float(std::atan2(2 * xy, xx - yy)) * 0.5f * 57.29578f};
}

float gridAngle(const Luma &luma, const Rect &rect) {
    // Four times the angle of a gradient g is that of g^4 as a complex number; weights are the squared strengths.
    double real = 0, imaginary = 0;
    for (int y = std::max(1, rect.top); y < std::min(luma.height - 1, rect.bottom); ++y) {
        const uint8_t *above = luma.row(y - 1), *row = luma.row(y), *below = luma.row(y + 1);
        for (int x = std::max(1, rect.left); x < std::min(luma.width - 1, rect.right); ++x) {
            float dx = float(row[x + 1]) - row[x - 1], dy = float(below[x]) - above[x];
            float squared = dx * dx + dy * dy;
            if (squared < 400) continue; // noise
            float c = dx * dx - dy * dy, s = 2 * dx * dy;
            real += double((c * c - s * s) / squared), imaginary += double(2 * c * s / squared);
        }
    }
    return float(std::atan2(imaginary, real)) * 57.29578f / 4;
}

} // namespace glimpse
