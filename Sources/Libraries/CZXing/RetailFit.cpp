// SPDX-License-Identifier: Apache-2.0
#include "RetailFit.hpp"

#include "CZXing.h"
#include "RetailFitting.hpp"

#include <string>

namespace glimpse {
namespace {

// Squared error of a sample, in units of the bars' contrast. Misread values leave 0.007 to others.
constexpr float wellExplained = 0.01f;

float costOf(const std::vector<uint8_t> &codes, const DigitCosts &costs) {
    float sum = 0;
    for (size_t i = 0; i < codes.size(); ++i)
        for (RetailSet set : {A, B, C})
            for (int digit = 0; digit < 10; ++digit)
                if (retailCode(set, digit) == codes[i]) sum += costs[i][set][size_t(digit)];
    return sum;
}

} // namespace

float retailMargin(const Luma &luma, const Quad &symbol, uint32_t format, std::string_view digits) {
    if (format != CZX_EAN_13 && format != CZX_EAN_8 && format != CZX_UPC_A && format != CZX_UPC_E) return 0;
    std::vector<uint8_t> codes = retailCodes(format, digits);
    Line picture;
    if (codes.empty() || area(symbol) < 1 || !picture.take(luma, symbol, RetailLayout(format).width)) return 0;
    RetailFitting fitting(picture, format);
    if (!fitting.to(codes)) return 0;
    // A wrong value moves the bars to wrong places. The likeliest digits put them right.
    RetailValue best = bestValue(format, fitting.costs());
    uint32_t fitted = format == CZX_UPC_A ? uint32_t(CZX_EAN_13) : format;
    if (!fitting.to(retailCodes(fitted, best.digits))) return 0;
    DigitCosts costs = fitting.costs();
    float claimed = costOf(codes, costs), rival = bestValue(format, costs, digits).cost;
    float samples = float(codes.size()) * placeSamples;
    if (rival < claimed && rival > wellExplained * samples) return 0; // bent or torn paper: no value fits
    return marginOf(claimed, rival, codes.size());
}

} // namespace glimpse
