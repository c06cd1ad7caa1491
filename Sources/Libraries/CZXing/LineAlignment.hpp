// SPDX-License-Identifier: Apache-2.0
// Moves a line onto a model of it.
#pragma once

#include "RetailLine.hpp"

#include <vector>

namespace glimpse {

/// One step of Gauss and Newton towards the placing that moves the line's bars onto the model's. Changes nothing unless
/// the error falls.
///
/// `model`: 0 is paper and 1 is ink, or another line. `paper`: see `Line::sample`. `light`, `samples`: of the line at
/// `place` against the model, before and after.
void align(const Line &line, const std::vector<float> &model, float paper, Line::Placing &place, Light &light, std::vector<float> &samples);

} // namespace glimpse
