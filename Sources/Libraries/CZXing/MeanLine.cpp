// SPDX-License-Identifier: Apache-2.0
#include "MeanLine.hpp"

#include "CZXing.h"
#include "Patch.hpp"

#include <algorithm>

namespace glimpse {
namespace {

/// Characters of a Codabar symbol, start and stop included, that make two lines enough: each more is one that a texture
/// seldom looks like.
constexpr size_t longCodabar = 10;
/// Height of bars that is evidence: pixels, and the share of the symbol's width.
constexpr float lowestBars = 8, lowestShare = 0.1f;
/// Pixels beyond each end that an outer bar's blur may reach.
constexpr float margin = 4;

/// The mean line at two samples a pixel, with `margin` pixels beyond each end.
std::vector<uint8_t> meanLine(const Luma &luma, const Quad &symbol) {
    float wide = length(symbol[1] - symbol[0]), tall = length(0.5f * (symbol[2] + symbol[3] - symbol[0] - symbol[1]));
    int points = int(2 * (wide + 2 * margin)), lines = std::max(1, int(tall));
    std::vector<uint8_t> line(size_t(points), 0);
    for (int i = 0; i < points; ++i) {
        float u = ((float(i) + 0.5f) / 2 - margin) / wide;
        int sum = 0;
        for (int j = 0; j < lines; ++j) {
            float v = (float(j) + 0.5f) / float(lines);
            Point start = symbol[0] + v * (symbol[3] - symbol[0]), end = symbol[1] + v * (symbol[2] - symbol[1]);
            sum += interpolated(luma, start + u * (end - start));
        }
        line[size_t(i)] = uint8_t(sum / lines);
    }
    return line;
}

} // namespace

bool needsMeanLine(const Symbol &symbol, int height) {
    bool isShort = symbol.format == CZX_CODABAR && symbol.text.size() < longCodabar;
    return isShort && symbol.lineCount < std::min(uncheckedLines, height);
}

bool isBorneOut(const Luma &luma, const Symbol &symbol) {
    const Quad &q = symbol.quad;
    float wide = length(q[1] - q[0]), tall = std::min(length(q[3] - q[0]), length(q[2] - q[1]));
    if (tall < std::max(lowestBars, lowestShare * wide)) return false;
    auto line = meanLine(luma, q);
    if (symbol.inverted)
        for (uint8_t &v : line) v = uint8_t(255 - v);
    // ZXing's own threshold lies near the paper, where the narrow spaces of a blurred symbol do not reach.
    auto [dark, light] = std::minmax_element(line.begin(), line.end());
    int middle = (*dark + *light) / 2;
    for (uint8_t &v : line) v = v < middle ? 0 : 255;
    // Another rule looks for paper beyond the ends. ZXing asks for half a character of it.
    size_t paper = line.size() / symbol.text.size();
    line.insert(line.begin(), paper, 255);
    line.insert(line.end(), paper, 255);
    return isValueOf(line, symbol);
}

} // namespace glimpse
