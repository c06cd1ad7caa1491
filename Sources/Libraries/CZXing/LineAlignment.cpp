// SPDX-License-Identifier: Apache-2.0
#include "LineAlignment.hpp"

#include "Equations.hpp"

#include <algorithm>

namespace glimpse {
namespace {

constexpr float mostBend = 0.05f; // of one step, as a share of the symbol's width

} // namespace

void align(const Line &line, const std::vector<float> &model, float paper, Line::Placing &place, Light &light, std::vector<float> &samples) {
    float n = float(samples.size()), scale = (1 + 2 * paper) / n;
    std::array<std::array<double, 5>, 4> equations{};
    for (size_t i = 1; i + 1 < samples.size(); ++i) {
        float u = (float(i) + 0.5f) * scale - paper;
        float slope = 0.5f * light.contrast * (model[i + 1] - model[i - 1]) / scale;
        float left = samples[i] - light.base - light.slope * (float(i) / n - 0.5f) - light.contrast * model[i];
        std::array<double, 4> row{slope, slope * u, slope * u * u, slope * u * u * u};
        for (size_t j = 0; j < 4; ++j) {
            for (size_t k = 0; k < 4; ++k) equations[j][k] += row[j] * row[k];
            equations[j][4] -= row[j] * double(left);
        }
    }
    std::array<double, 4> change{};
    if (!solve(equations, change)) return;
    Line::Placing moved = place;
    for (size_t k = 0; k < 4; ++k) moved.bend[k] += std::clamp(float(change[k]), -mostBend, mostBend);
    std::vector<float> there(samples.size());
    line.sample(moved, paper, there);
    Light now = Light::of(there, model);
    if (now.error < light.error) light = now, place = moved, samples = std::move(there);
}

} // namespace glimpse
