// SPDX-License-Identifier: Apache-2.0
// EAN and UPC as modules: bars are 1, spaces are 0. ISO/IEC 15420.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace glimpse {

constexpr int digitModules = 7;
constexpr int perModule = 4;   // samples of a line across the bars
constexpr int retailPaper = 2; // modules of paper that `retailModules` has at each end

/// The code of a digit: A and B stand in the left half, C in the right one.
enum RetailSet { A, B, C };

/// The seven modules of a digit, the first in the highest bit.
uint8_t retailCode(RetailSet set, int digit);

/// The left digits of set B among the six, the first digit in the highest bit, by the first digit of EAN-13. Table
/// 3.
constexpr std::array<uint8_t, 10> retailParities{0x00, 0x0B, 0x0D, 0x0E, 0x13, 0x19, 0x1C, 0x15, 0x16, 0x1A};
/// The digits of set B among the six of UPC-E, by the number system (0 or 1) and the check digit. Table 5.
uint8_t retailParity(int system, int check);

/// Where the parts of a symbol stand, in modules from its first bar.
struct RetailLayout {
    int width = 0;
    std::vector<int> digits; ///< the first module of each
    std::vector<int> bars;   ///< single bars of the guards

    /// CZX_EAN_13, CZX_EAN_8, CZX_UPC_A or CZX_UPC_E.
    explicit RetailLayout(uint32_t format);
};

/// The codes of a value's digits that have bars; empty where the digits are none of the format.
std::vector<uint8_t> retailCodes(uint32_t format, std::string_view digits);

/// The modules of a symbol between paper.
std::vector<uint8_t> retailModules(const RetailLayout &layout, const std::vector<uint8_t> &codes);

} // namespace glimpse
