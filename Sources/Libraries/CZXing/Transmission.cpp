// SPDX-License-Identifier: Apache-2.0
#include "Transmission.hpp"

#include "CZXing.h"
#include "Formats.hpp"

#include <algorithm>

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

/// GS1 General Specifications 7.8.5: element strings with these first two digits have a predefined length and are not
/// followed by FNC1. The number is that of data characters, application identifier included.
size_t predefinedLength(const std::string &identifier) {
    switch (std::stoi(identifier.substr(0, 2))) {
    case 0: return 20;
    case 1: case 2: case 3: return 16;
    case 4: return 18;
    case 11: case 12: case 13: case 14: case 15: case 16: case 17: case 18: case 19: return 8;
    case 20: return 4;
    case 31: case 32: case 33: case 34: case 35: case 36: return 10;
    case 41: return 16;
    default: return 0;
    }
}

/// The length of "(01)" if an application identifier in brackets starts at `at`, else 0.
size_t bracketedIdentifier(const std::string &text, size_t at) {
    if (at >= text.size() || text[at] != '(') return 0;
    size_t end = text.find_first_not_of("0123456789", at + 1);
    bool closed = end != std::string::npos && text[end] == ')' && end - at >= 3 && end - at <= 5;
    return closed ? end + 1 - at : 0;
}

/// The element strings of "(01)95012345678903(10)A1", FNC1 separators as U+001D.
std::string withoutBrackets(const std::string &text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        size_t bracketed = bracketedIdentifier(text, at);
        if (!bracketed) return text;
        std::string identifier = text.substr(at + 1, bracketed - 2);
        at += bracketed;
        out += identifier;
        if (size_t fixed = predefinedLength(identifier); fixed > identifier.size()) {
            size_t count = fixed - identifier.size();
            if (text.size() - at < count) return text;
            out += text.substr(at, count);
            at += count;
            continue;
        }
        size_t end = at;
        while (end < text.size() && !bracketedIdentifier(text, end)) ++end;
        out += text.substr(at, end - at);
        at = end;
        if (at < text.size()) out += '\x1d';
    }
    return out;
}

bool isUTF8(const std::vector<uint8_t> &bytes) {
    for (size_t at = 0; at < bytes.size();) {
        uint8_t lead = bytes[at++];
        int more = lead < 0x80 ? 0 : lead >= 0xC2 && lead < 0xE0 ? 1 : (lead & 0xF0) == 0xE0 ? 2 : lead >= 0xF0 && lead < 0xF5 ? 3 : -1;
        if (more < 0 || bytes.size() - at < size_t(more)) return false;
        uint32_t scalar = more == 0 ? lead : lead & (0x3F >> more);
        for (; more > 0; --more) {
            if ((bytes[at] & 0xC0) != 0x80) return false;
            scalar = scalar << 6 | (bytes[at++] & 0x3F);
        }
        if ((lead >= 0xE0 && scalar < 0x800) || (lead >= 0xF0 && scalar < 0x10000) || scalar > 0x10FFFF
            || (scalar >= 0xD800 && scalar < 0xE000))
            return false;
    }
    return true;
}

/// Text with the separators that data standards put between fields (AAMVA's driver licences, ISO/IEC 15434): ZXing
/// calls that binary. Tab, line feed, carriage return, EOT, FS, GS, RS and US are let pass, other control characters
/// are not.
bool isSeparatedText(const std::vector<uint8_t> &bytes) {
    bool utf8 = isUTF8(bytes);
    return std::all_of(bytes.begin(), bytes.end(), [utf8](uint8_t c) {
        bool separator = c == '\t' || c == '\n' || c == '\r' || c == 0x04 || (c >= 0x1C && c < 0x20);
        return separator || (c >= 0x20 && c < 0x7F) || (c >= 0x80 && (utf8 || c >= 0xA0));
    });
}

/// UTF-8 as it is, anything else as Latin-1.
std::string textOf(const std::vector<uint8_t> &bytes) {
    if (isUTF8(bytes)) return {bytes.begin(), bytes.end()};
    std::string text;
    for (uint8_t c : bytes) {
        if (c >= 0x80) text += char(0xC0 | c >> 6);
        text += char(c < 0x80 ? c : 0x80 | (c & 0x3F));
    }
    return text;
}

bool isCodabarFrame(char c) { return (c >= 'A' && c <= 'D') || (c >= 'a' && c <= 'd'); }

} // namespace

void makeTransmitted(Symbol &symbol) {
    if (symbol.format & dataBarFormats) symbol.isGS1 = true;
    if (!symbol.isText && !symbol.isBinaryECI && isSeparatedText(symbol.bytes)) {
        symbol.isText = true;
        if (!symbol.hasECI) symbol.text = textOf(symbol.bytes);
    }
    std::string text = symbol.text;
    if (symbol.format & upcEanFormats) {
        // 1.4 gives UPC-A 12 digits and UPC-E 8, 2.x gives both as the 13 digits of an EAN-13.
        if ((symbol.format & (CZX_UPC_A | CZX_UPC_E)) && text.size() == 13 && text[0] == '0') text.erase(0, 1);
        if (symbol.format == CZX_UPC_E && text.size() == 12)
            if (std::string printed = suppressedZeros(text); !printed.empty()) text = printed;
    } else if (symbol.format == CZX_DATABAR && text.size() == 14) {
        text.insert(0, "01");
    } else if (symbol.format == CZX_DATABAR_EXPANDED && !text.empty() && text[0] == '(') {
        text = withoutBrackets(text);
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
