// SPDX-License-Identifier: Apache-2.0
// Where the bars of a linear code lie that was located and not read.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace glimpse {

/// A strip across the bars, in which all rows look the same, and where bars may begin and end in it.
struct BarStrip {
    Quad quad{};                                ///< with paper on both sides; left and right are parallel to the bars
    std::vector<std::pair<float, float>> spans; ///< first and last bar, shares of the strip's width, likeliest first
    float expected = 1;                         ///< the region's width, as a share of the strip's
};

/// Where the line changes between darker and lighter by more than noise: the darkest or lightest sample before each
/// change.
std::vector<int> turns(const std::vector<float> &line, int from, int to);

/// Runs of edges without a quiet gap, and joins of such runs, as shares of the line. Runs with much paper on both sides
/// and little within come first. `expected`: about the bars' width in samples. `pixel`: samples of one pixel.
std::vector<std::pair<float, float>> barSpans(const std::vector<float> &line, float expected, float pixel);

/// `region`: about the bars' bounds. `angle`: degrees clockwise from the x axis to the direction across the bars, to
/// about 10 degrees. Nothing where no rows agree. Takes about 0.1 ms.
std::optional<BarStrip> findBars(const Luma &luma, const Rect &region, float angle);

} // namespace glimpse
