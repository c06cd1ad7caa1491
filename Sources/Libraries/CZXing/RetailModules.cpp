// SPDX-License-Identifier: Apache-2.0
#include "RetailModules.hpp"

#include "CZXing.h"

#include <algorithm>

namespace glimpse {
namespace {

/// Modules of the ten digits in set A. Set C is its complement, set B is set C read backwards. Table 1.
constexpr std::array<uint8_t, 10> setA{0x0D, 0x19, 0x13, 0x3D, 0x23, 0x31, 0x2F, 0x3B, 0x37, 0x0B};

/// With number system 0. Table 5.
constexpr std::array<uint8_t, 10> paritiesE{0x38, 0x34, 0x32, 0x31, 0x2C, 0x26, 0x23, 0x2A, 0x29, 0x25};

uint8_t backwards(uint8_t code) {
    uint8_t out = 0;
    for (int i = 0; i < digitModules; ++i) out = uint8_t(out << 1 | (code >> i & 1));
    return out;
}

} // namespace

uint8_t retailCode(RetailSet set, int digit) {
    uint8_t right = ~setA[size_t(digit)] & 0x7F;
    return set == A ? setA[size_t(digit)] : set == C ? right : backwards(right);
}

uint8_t retailParity(int system, int check) {
    return system ? uint8_t(~paritiesE[size_t(check)] & 0x3F) : paritiesE[size_t(check)];
}

RetailLayout::RetailLayout(uint32_t format) {
    int each = format == CZX_EAN_8 ? 4 : 6, middle = 3 + digitModules * each;
    for (int i = 0; i < each; ++i) digits.push_back(3 + digitModules * i);
    if (format == CZX_UPC_E) {
        width = 51, bars = {0, 2, 46, 48, 50};
        return;
    }
    for (int i = 0; i < each; ++i) digits.push_back(middle + 5 + digitModules * i);
    width = 2 * middle + 5, bars = {0, 2, middle + 1, middle + 3, width - 3, width - 1};
}

std::vector<uint8_t> retailCodes(uint32_t format, std::string_view digits) {
    size_t expected = format == CZX_EAN_13 ? 13 : format == CZX_UPC_A ? 12 : 8;
    bool isNumber = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!isNumber || digits.size() != expected) return {};
    auto digit = [&](size_t i) { return digits[i] - '0'; };
    if (format == CZX_UPC_E && digit(0) > 1) return {};
    size_t first = format == CZX_EAN_13 || format == CZX_UPC_E ? 1 : 0;
    uint8_t parity = format == CZX_EAN_13 ? retailParities[size_t(digit(0))] : format == CZX_UPC_E ? retailParity(digit(0), digit(7)) : 0;
    size_t left = format == CZX_EAN_8 ? 4 : 6, count = format == CZX_UPC_E ? 6 : 2 * left;
    std::vector<uint8_t> codes;
    for (size_t i = 0; i < count; ++i) {
        RetailSet set = i >= left ? C : left == 6 && (parity >> (5 - i) & 1) ? B : A;
        codes.push_back(retailCode(set, digit(first + i)));
    }
    return codes;
}

std::vector<uint8_t> retailModules(const RetailLayout &layout, const std::vector<uint8_t> &codes) {
    std::vector<uint8_t> dark(size_t(layout.width) + 2 * retailPaper, 0);
    for (int at : layout.bars) dark[size_t(at + retailPaper)] = 1;
    for (size_t i = 0; i < codes.size(); ++i)
        for (int m = 0; m < digitModules; ++m)
            dark[size_t(layout.digits[i] + retailPaper + m)] = codes[i] >> (digitModules - 1 - m) & 1;
    return dark;
}

} // namespace glimpse
