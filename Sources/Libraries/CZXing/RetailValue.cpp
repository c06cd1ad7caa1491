// SPDX-License-Identifier: Apache-2.0
#include "RetailValue.hpp"

#include "CZXing.h"

#include <algorithm>

namespace glimpse {
namespace {

constexpr size_t mostPlaces = 12;
constexpr float leastError = 0.005f; // squared, of a sample, in units of the bars' contrast

/// The common part of values with one parity pattern.
struct Pattern {
    std::array<RetailSet, mostPlaces> sets{};
    std::array<int, mostPlaces> weights{}; ///< of the digits in the check sum
    size_t places = 0;
    std::string before, after; ///< digits without bars of their own: they are in the parity pattern
    int sum = 0;               ///< of `before` and `after`, in the check sum
    uint16_t lastDigits = 0x3FF; ///< bit d: the last place may hold digit d
};

/// The best value of one pattern with a check sum of 0 modulo 10.
RetailValue best(const Pattern &pattern, const DigitCosts &costs, std::string_view without) {
    struct State {
        float cost = INFINITY;
        int8_t digit = 0, sum = 0; ///< of the step that led here
        bool differs = false;
    };
    // By place, by sum, by whether a digit so far differs from `without`.
    std::array<std::array<std::array<State, 2>, 10>, mostPlaces + 1> states{};
    size_t first = pattern.before.size();
    bool differs = without.empty() || without.substr(0, first) != pattern.before
        || without.substr(first + pattern.places) != pattern.after;
    states[0][size_t(pattern.sum % 10)][differs].cost = 0;
    for (size_t i = 0; i < pattern.places; ++i)
        for (int digit = 0; digit < 10; ++digit) {
            if (i + 1 == pattern.places && !(pattern.lastDigits >> digit & 1)) continue;
            float cost = costs[i][pattern.sets[i]][size_t(digit)];
            bool isOther = without.empty() || digit != without[first + i] - '0';
            for (int sum = 0; sum < 10; ++sum)
                for (bool before : {false, true}) {
                    const State &from = states[i][size_t(sum)][before];
                    State &to = states[i + 1][size_t(sum + pattern.weights[i] * digit) % 10][before || isOther];
                    if (from.cost + cost < to.cost) to = {from.cost + cost, int8_t(digit), int8_t(sum), before};
                }
        }
    RetailValue value;
    value.cost = states[pattern.places][0][true].cost;
    if (!std::isfinite(value.cost)) return value;
    size_t sum = 0;
    bool state = true;
    for (size_t i = pattern.places; i > 0; --i) {
        const State &s = states[i][sum][state];
        value.digits += char('0' + s.digit);
        sum = size_t(s.sum), state = s.differs;
    }
    std::reverse(value.digits.begin(), value.digits.end());
    value.digits = pattern.before + value.digits + pattern.after;
    return value;
}

void setParity(Pattern &pattern, uint8_t parity) {
    for (size_t i = 0; i < 6; ++i) pattern.sets[i] = parity >> (5 - i) & 1 ? B : A;
}

std::vector<Pattern> longPatterns() {
    std::vector<Pattern> out;
    for (int first = 0; first < 10; ++first) {
        Pattern p;
        p.places = 12, p.before = char('0' + first), p.sum = first;
        p.sets.fill(C);
        setParity(p, retailParities[size_t(first)]);
        for (size_t i = 0; i < 12; ++i) p.weights[i] = i % 2 ? 1 : 3;
        out.push_back(p);
    }
    return out;
}

/// The last place says where the others stand in UPC-A, and so their weights. ISO/IEC 15420, table 4.
std::vector<Pattern> suppressedPatterns() {
    struct Kind {
        uint16_t lastDigits;
        std::array<int, mostPlaces> weights;
    };
    constexpr Kind kinds[] = {{0x007, {1, 3, 3, 1, 3, 1}},  // s ab L0000 cde
                              {0x008, {1, 3, 1, 1, 3, 0}},  // s abc 00000 de
                              {0x010, {1, 3, 1, 3, 3, 0}},  // s abcd 00000 e
                              {0x3E0, {1, 3, 1, 3, 1, 3}}}; // s abcde 0000 L
    std::vector<Pattern> out;
    for (int system = 0; system < 2; ++system)
        for (int check = 0; check < 10; ++check)
            for (const Kind &kind : kinds) {
                Pattern p;
                p.places = 6, p.before = char('0' + system), p.after = char('0' + check), p.sum = 3 * system + check;
                setParity(p, retailParity(system, check));
                p.weights = kind.weights, p.lastDigits = kind.lastDigits;
                out.push_back(p);
            }
    return out;
}

std::vector<Pattern> shortPatterns() {
    Pattern p;
    p.places = 8;
    for (size_t i = 0; i < 8; ++i) p.sets[i] = i < 4 ? A : C, p.weights[i] = i % 2 ? 1 : 3;
    return {p};
}

} // namespace

float marginOf(float cost, float rival, size_t places) {
    return (rival - cost) / std::max(cost, leastError * float(places) * placeSamples) * float(places);
}

RetailValue bestValue(uint32_t format, const DigitCosts &costs, std::string_view without) {
    static const auto ean13 = longPatterns(), ean8 = shortPatterns(), upcE = suppressedPatterns();
    // UPC-A is EAN-13 with a leading zero.
    std::string excluded(without);
    if (format == CZX_UPC_A && !without.empty()) excluded.insert(0, "0");
    RetailValue value;
    for (const Pattern &pattern : format == CZX_EAN_8 ? ean8 : format == CZX_UPC_E ? upcE : ean13)
        if (RetailValue other = best(pattern, costs, excluded); other.cost < value.cost) value = other;
    return value;
}

} // namespace glimpse
