// SPDX-License-Identifier: Apache-2.0
#include "RetailSymbol.hpp"

#include "CZXing.h"

namespace glimpse {
namespace {

constexpr float leastMargin = 5;

} // namespace

std::optional<Symbol> retailSymbol(const RetailRead &read, const Quad &quad, uint32_t formats) {
    Symbol symbol;
    symbol.format = read.format, symbol.text = read.digits;
    if (read.format == CZX_EAN_13 && (formats & CZX_UPC_A) && read.digits[0] == '0') {
        symbol.format = CZX_UPC_A;
        symbol.text.erase(0, 1);
    }
    if (read.margin < leastMargin || !(formats & symbol.format)) return std::nullopt;
    symbol.quad = quad;
    symbol.bytes.assign(symbol.text.begin(), symbol.text.end());
    symbol.symbologyIdentifier = read.format == CZX_EAN_8 ? "]E4" : "]E0"; // ISO/IEC 15424
    return symbol;
}

} // namespace glimpse
