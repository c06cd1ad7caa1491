// SPDX-License-Identifier: Apache-2.0
// Modules as a blurred camera shows them.
#pragma once

#include "RetailModules.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace glimpse {

constexpr std::array<float, 6> sigmas{0.25f, 0.4f, 0.55f, 0.7f, 0.9f, 1.15f}; // of the blur, in modules
constexpr int blurReach = 3; // modules on each side that a module's blur reaches
constexpr int templateSamples = (digitModules + 2 * blurReach) * perModule;

/// The modules as a line of `perModule` samples each, 0 paper and 1 ink, blurred by `sigmas[sigma]`.
void blurred(const std::vector<uint8_t> &dark, size_t sigma, std::vector<float> &out);

/// The share of a digit's own bars in a line, from `blurReach` modules before its first module to `blurReach` modules
/// after its last.
using DigitTemplate = std::array<float, templateSamples>;
const DigitTemplate &digitTemplate(size_t sigma, RetailSet set, int digit);

} // namespace glimpse
