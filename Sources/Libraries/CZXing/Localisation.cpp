// SPDX-License-Identifier: Apache-2.0
#include "Localisation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glimpse {
namespace {

/// Mean squared gradient (central differences, grey levels) above which a cell may be part of a code. The edges of a
/// code have it at a contrast of about 40 grey levels, pale bars at half of that. Coarse cells are flat inside large
/// modules.
constexpr float fineThreshold = 150, coarseThreshold = 60, paleThreshold = 40;
/// Noise raises all thresholds: by this factor over the quietest quarter of the cells, up to a limit. Codes of
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

/// Equal ones stay in reading order.
std::vector<Region> strongestFirst(std::vector<Region> regions) {
    auto strength = [](const Region &r) { return r.energy * std::sqrt(float(std::min(r.rect.area(), 128L * 128L))); };
    std::stable_sort(regions.begin(), regions.end(), [&](auto &a, auto &b) { return strength(a) > strength(b); });
    return regions;
}

} // namespace

void Localisation::measure(const Luma &luma) {
    width_ = luma.width, height_ = luma.height;
    cell_ = 8 * std::max(1, (std::max(width_, height_) + 1023) / 2048);
    int columns = (width_ + cell_ - 1) / cell_, rows = (height_ + cell_ - 1) / cell_, half = cell_ / 2;
    whole_ = {columns, rows, cell_, cell_, false, std::move(whole_.cells)};
    halves_ = {columns, 2 * rows, cell_, half, false, std::move(halves_.cells)};
    whole_.cells.assign(size_t(columns) * size_t(rows), {});
    halves_.cells.assign(size_t(columns) * size_t(rows) * 2, {});
    std::vector<int32_t> sums(size_t(columns) * 3);
    for (int row = 0; row < rows; ++row) {
        int end = std::min(height_ - 1, (row + 1) * cell_), y = std::max(1, row * cell_), lines = 0;
        Tensor *whole = &whole_.cells[size_t(row) * size_t(columns)];
        for (int lower : {0, 1}) {
            std::fill(sums.begin(), sums.end(), 0);
            int count = 0;
            for (; y < std::min(end, row * cell_ + (lower + 1) * half); y += cell_ / 4, ++count)
                for (int column = 0; column < columns; ++column) {
                    int x = std::max(1, column * cell_), last = std::min(width_ - 1, (column + 1) * cell_);
                    if (x < last)
                        accumulate(luma.row(y - 1) + x, luma.row(y) + x, luma.row(y + 1) + x, last - x, &sums[size_t(column) * 3]);
                }
            lines += count;
            float scale = count ? 1.0f / float(count * cell_) : 0, share = lines ? float(count) / float(lines) : 0;
            Tensor *cells = &halves_.cells[size_t(2 * row + lower) * size_t(columns)];
            for (int column = 0; column < columns; ++column) {
                const int32_t *s = &sums[size_t(column) * 3];
                cells[column] = {scale * float(s[0]), scale * float(s[1]), scale * float(s[2])};
                whole[column] = whole[column].mixed(cells[column], share);
            }
        }
    }
    noise_ = std::min(overNoise * noise(), noiseLimit);
}

void Localisation::erase(const Quad &quad) {
    Rect r = intersection(bounds(quad), {0, 0, width_, height_});
    for (Grid *grid : {&whole_, &halves_})
        for (int row = r.top / grid->tall; row * grid->tall < r.bottom && row < grid->rows; ++row)
            for (int column = r.left / cell_; column * cell_ < r.right && column < grid->columns; ++column) {
                Point middle{(float(column) + 0.5f) * float(cell_), (float(row) + 0.5f) * float(grid->tall)};
                if (contains(grown(quad, 1.5f * float(cell_)), middle))
                    grid->cells[size_t(row) * size_t(grid->columns) + size_t(column)] = {};
            }
}

/// Cells of four by four whole ones.
Localisation::Grid Localisation::pooled() const {
    Grid out{(whole_.columns + coarsePooling - 1) / coarsePooling, (whole_.rows + coarsePooling - 1) / coarsePooling,
             cell_ * coarsePooling, cell_ * coarsePooling, true, {}};
    out.cells.resize(size_t(out.columns) * size_t(out.rows));
    constexpr float share = 1.0f / float(coarsePooling * coarsePooling);
    for (int y = 0; y < whole_.rows; ++y)
        for (int x = 0; x < whole_.columns; ++x)
            out.cells[size_t(y / coarsePooling) * size_t(out.columns) + size_t(x / coarsePooling)].add(
                whole_.cells[size_t(y) * size_t(whole_.columns) + size_t(x)], share);
    return out;
}

void Localisation::collect(const Grid &grid, float threshold, std::vector<Region> &out) const {
    std::vector<uint8_t> open(grid.cells.size());
    for (size_t i = 0; i < open.size(); ++i) open[i] = grid.cells[i].energy() > threshold;
    join(grid, std::move(open), [](const Tensor &, const Tensor &) { return true; }, out);
}

/// Adds the regions of open cells that touch and are alike.
template <class Like>
void Localisation::join(const Grid &grid, std::vector<uint8_t> open, Like isLike, std::vector<Region> &out) const {
    int columns = grid.columns, rows = grid.rows;
    const std::vector<Tensor> &cells = grid.cells;
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
        out.push_back(region(grid, box, sum, count));
    }
}

float Localisation::Tensor::spread() const { return std::hypot(xx - yy, 2 * xy); }

Localisation::Tensor Localisation::Tensor::mixed(const Tensor &o, float share) const {
    return {xx + share * (o.xx - xx), yy + share * (o.yy - yy), xy + share * (o.xy - xy)};
}

float Localisation::Tensor::angle() const { return 0.5f * std::atan2(2 * xy, xx - yy) * 57.29578f; }

/// The region of `count` cells, whose sum is `sum`.
Region Localisation::region(const Grid &grid, const Rect &cells, const Tensor &sum, int count) const {
    Rect rect = intersection({cells.left * grid.wide, cells.top * grid.tall, cells.right * grid.wide, cells.bottom * grid.tall},
                             {0, 0, width_, height_});
    float energy = sum.energy();
    return {rect, energy / float(count), energy > 0 ? sum.spread() / energy : 0, sum.angle(), grid.isCoarse};
}

std::vector<Region> Localisation::bars() const { return bars(halves_, std::max(fineThreshold, noise_)); }

std::vector<Region> Localisation::paleBars() const { return bars(whole_, std::max(paleThreshold, noise_)); }

std::vector<Region> Localisation::bars(const Grid &grid, float threshold) const {
    std::vector<uint8_t> open(grid.cells.size());
    for (size_t i = 0; i < open.size(); ++i) {
        float energy = grid.cells[i].energy();
        open[i] = energy > threshold && grid.cells[i].spread() > barCoherence * energy;
    }
    auto isLike = [](const Tensor &a, const Tensor &b) {
        float dot = (a.xx - a.yy) * (b.xx - b.yy) + 4 * a.xy * b.xy;
        return dot > likeDirection * a.spread() * b.spread();
    };
    std::vector<Region> out;
    join(grid, std::move(open), isLike, out);
    return strongestFirst(std::move(out));
}

float Localisation::noise() const {
    std::vector<float> energies(whole_.cells.size());
    std::transform(whole_.cells.begin(), whole_.cells.end(), energies.begin(), [](const Tensor &t) { return t.energy(); });
    auto quarter = energies.begin() + std::ptrdiff_t(energies.size() / 4);
    std::nth_element(energies.begin(), quarter, energies.end());
    return *quarter;
}

std::vector<Region> Localisation::regions() const {
    std::vector<Region> out;
    // At several levels: a code stands out of the texture around it at one of them.
    for (float level : {1.0f, 4.0f, 12.0f}) collect(whole_, level * std::max(fineThreshold, noise_), out);
    Grid coarse = pooled();
    for (float level : {1.0f, 4.0f}) collect(coarse, level * std::max(coarseThreshold, noise_), out);
    return strongestFirst(std::move(out));
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
