#include "PlaneResize.hpp"

#include <algorithm>
#include <cmath>

namespace covn {
namespace {

/// Added to a small positive float and taken away again: rounds to the nearest whole number, ties to the even one.
constexpr float rounder = 1 << 23;

}  // namespace

std::vector<PlaneResize::Tap> PlaneResize::taps(int from, int to, int step) {
    std::vector<Tap> taps;
    taps.reserve(size_t(to) * size_t(step));
    for (int i = 0; i < to; i++) {
        const float centre = std::max(0.0F, (float(i) + 0.5F) * float(from) / float(to) - 0.5F);
        const int first = std::min(int(centre), from - 1);
        const int second = std::min(first + 1, from - 1);
        for (int c = 0; c < step; c++) taps.push_back({first * step + c, second * step + c, centre - float(first)});
    }
    return taps;
}

PlaneResize::PlaneResize(Size from, Size to, int channels)
    : width_(size_t(from.width) * size_t(channels)),
      rows_(taps(from.height, to.height, 1)),
      columns_(taps(from.width, to.width, channels)),
      line_(width_) {}

void PlaneResize::run(const uint8_t *from, size_t stride, uint8_t *to) {
    for (const Tap &row : rows_) {
        const uint8_t *const above = from + size_t(row.first) * stride;
        const uint8_t *const below = from + size_t(row.second) * stride;
        float *const line = line_.data();
        const float share = row.share;
        for (size_t x = 0; x < width_; x++) line[x] = float(above[x]) + share * float(below[x] - above[x]);
        for (const Tap &column : columns_) {
            const float left = line[column.first];
            *to++ = uint8_t(left + column.share * (line[column.second] - left) + rounder - rounder);
        }
    }
}

}  // namespace covn
