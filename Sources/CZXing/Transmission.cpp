#include "Transmission.hpp"

#include "CZXing.h"
#include "Formats.hpp"

namespace glimpse {
namespace {

/// The digits of a UPC-E symbol's UPC-A form, without check digit, back to the eight digits printed under the bars.
/// Zero suppression: ISO/IEC 15420, 4.2.4.
std::string suppressedZeros(const std::string &upcA) {
    // upcA: number system, five digits of manufacturer, five of product, check digit.
    std::string maker = upcA.substr(1, 5), item = upcA.substr(6, 5), digits;
    if (maker[2] <= '2' && maker.substr(3) == "00" && item.substr(0, 2) == "00")
        digits = maker.substr(0, 2) + item.substr(2) + maker[2];
    else if (maker.substr(3) == "00" && item.substr(0, 3) == "000")
        digits = maker.substr(0, 3) + item.substr(3) + '3';
    else if (maker[4] == '0' && item.substr(0, 4) == "0000")
        digits = maker.substr(0, 4) + item[4] + '4';
    else if (item.substr(0, 4) == "0000" && item[4] >= '5')
        digits = maker + item[4];
    else
        return {};
    return upcA[0] + digits + upcA[11];
}

bool isCodabarFrame(char c) { return (c >= 'A' && c <= 'D') || (c >= 'a' && c <= 'd'); }

} // namespace

void makeTransmitted(Symbol &symbol) {
    std::string text = symbol.text;
    if (symbol.format & upcEanFormats) {
        size_t digits = symbol.format == CZX_EAN_8 ? 8 : symbol.format == CZX_UPC_E && text.size() < 12 ? 8 : 13;
        if (symbol.format == CZX_UPC_A && (text.size() == 12 || text.size() == 14 || text.size() == 17)) digits = 12;
        if (text.size() < digits) return;
        size_t from = text.find_first_not_of(' ', digits);
        std::string addOn = from == std::string::npos ? std::string() : text.substr(from);
        text.resize(digits);
        if (symbol.format == CZX_UPC_A && digits == 13 && text[0] == '0') text.erase(0, 1);
        if (symbol.format == CZX_UPC_E && digits == 13 && text[0] == '0')
            if (std::string printed = suppressedZeros(text.substr(1)); !printed.empty()) text = printed;
        if (!addOn.empty()) text += ' ' + addOn;
    } else if (symbol.format == CZX_CODABAR) {
        if (text.size() >= 2 && isCodabarFrame(text.front()) && isCodabarFrame(text.back()))
            text = text.substr(1, text.size() - 2);
    } else {
        return;
    }
    symbol.text = text;
    symbol.bytes.assign(text.begin(), text.end());
}

} // namespace glimpse
