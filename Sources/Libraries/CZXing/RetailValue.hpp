// SPDX-License-Identifier: Apache-2.0
// The value that fits a line best, of all values that the check digit and the parity pattern allow.
#pragma once

#include "RetailModules.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glimpse {

/// The squared error that each digit of each set leaves in each place.
using DigitCosts = std::vector<std::array<std::array<float, 10>, 3>>;

struct RetailValue {
    std::string digits;    ///< 13, 8 or, for CZX_UPC_E, 8 of them; empty: no value is allowed
    float cost = INFINITY; ///< the sum over the places
};

/// Samples that count as a place's own: its modules and one on each side.
constexpr int placeSamples = (digitModules + 2) * perModule;

/// By how much a value of this cost leads before a rival, in units of its own error for each place. A perfect picture
/// would leave no error, so a least one is assumed: a clear value has 12 to 17.
float marginOf(float cost, float rival, size_t places);

/// Dynamic programming over the places and the check sum so far.
///
/// `format`: CZX_EAN_13, CZX_EAN_8, CZX_UPC_A (as CZX_EAN_13, since it is an EAN-13 that begins with 0) or CZX_UPC_E.
/// `without`: the one value that is not allowed, as printed; empty: all are.
RetailValue bestValue(uint32_t format, const DigitCosts &costs, std::string_view without = {});

} // namespace glimpse
