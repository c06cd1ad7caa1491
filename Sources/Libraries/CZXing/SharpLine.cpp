// SPDX-License-Identifier: Apache-2.0
#include "SharpLine.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace glimpse {
namespace {

constexpr std::array<float, 5> amounts{1, 2, 3.5f, 5, 8};
constexpr int leastAgreeing = 2;
constexpr float darkest = 20, lightest = 230; // luma of the bars and the paper; sharpened edges reach beyond
constexpr size_t outliers = 50; // one of so many samples may be darker or lighter

/// Blurred by a Gaussian of the standard deviation `sigma`, in samples.
std::vector<float> blurred(const std::vector<float> &line, float sigma) {
    int reach = int(3 * sigma) + 1, last = int(line.size()) - 1;
    std::vector<float> weights, out(line.size(), 0);
    float sum = 0;
    for (int i = -reach; i <= reach; ++i) {
        weights.push_back(std::exp(-0.5f * float(i * i) / (sigma * sigma)));
        sum += weights.back();
    }
    for (int i = 0; i <= last; ++i)
        for (int j = -reach; j <= reach; ++j)
            out[size_t(i)] += weights[size_t(j + reach)] / sum * line[size_t(std::clamp(i + j, 0, last))];
    return out;
}

std::vector<uint8_t> luma(const std::vector<float> &line) {
    auto sorted = line;
    std::sort(sorted.begin(), sorted.end());
    float low = sorted[sorted.size() / outliers], high = sorted[sorted.size() - 1 - sorted.size() / outliers];
    std::vector<uint8_t> out;
    for (float v : line)
        out.push_back(uint8_t(std::clamp(darkest + (lightest - darkest) * (v - low) / (high - low), 0.0f, 255.0f)));
    return out;
}

} // namespace

std::optional<Symbol> readSharpened(const std::vector<float> &line, float pixel, uint32_t formats) {
    auto [low, high] = std::minmax_element(line.begin(), line.end());
    if (!(formats & sharpenedFormats) || !(*high > *low)) return std::nullopt;
    std::vector<float> smooth = blurred(line, pixel), sharp(line.size());
    std::vector<std::pair<Symbol, int>> found;
    for (float amount : amounts) {
        for (size_t i = 0; i < line.size(); ++i) sharp[i] = line[i] + amount * (line[i] - smooth[i]);
        auto symbol = readLine(luma(sharp), formats & sharpenedFormats);
        if (!symbol) continue;
        auto isSame = [&](auto &other) { return other.first.format == symbol->format && other.first.bytes == symbol->bytes; };
        auto same = std::find_if(found.begin(), found.end(), isSame);
        if (same == found.end()) found.emplace_back(std::move(*symbol), 1);
        else ++same->second;
    }
    // Two values contradict each other.
    if (found.size() != 1 || found[0].second < leastAgreeing) return std::nullopt;
    for (Point &p : found[0].first.quad) p.x /= float(line.size());
    return found[0].first;
}

} // namespace glimpse
