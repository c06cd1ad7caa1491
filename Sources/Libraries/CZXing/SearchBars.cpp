// SPDX-License-Identifier: Apache-2.0
// Bars that have no place of their own: print touches them, or they are pale.

#include "Search.hpp"

#include "Formats.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

constexpr float shortestBars = 40; // pixels: UPC-E at 0.8 pixels a module
constexpr size_t mostBars = 6;     // of one picture

/// Bars follow each other across their direction. A long edge does not.
bool isLong(const Region &bars) {
    float turn = bars.angle / 57.29578f, across = std::abs(std::cos(turn)), along = std::abs(std::sin(turn));
    return float(bars.rect.width()) * across + float(bars.rect.height()) * along >= shortestBars;
}

} // namespace

/// The bars that this search has not tried. Print or lines touch them, so that their region is larger than they are, or
/// their place has failed before.
std::vector<Region> Search::untriedBars() const {
    std::vector<Region> out;
    if (!(formats_ & upcEanFormats)) return out;
    for (const Region &bars : map_.bars()) {
        const Rect &r = bars.rect;
        auto isTried = [&](const Rect &other) { return 2 * intersection(other, r).area() > std::max(other.area(), r.area()); };
        bool isPlace = std::any_of(unread_.begin(), unread_.end(), [&](const Region &other) { return isTried(other.rect); });
        if (isLong(bars) && !isPlace && !isCut(r) && !isCovered(r)) out.push_back(bars);
    }
    return out;
}

/// Reads the strongest bars of a single picture that were not read, as they are and at twice the size.
void Search::readBars() {
    if (!(formats_ & linearFormats)) return;
    std::vector<Region> places;
    for (const Region &bars : map_.paleBars())
        if (isLong(bars) && places.size() < mostBars) places.push_back(bars);
    for (const Region &bars : places) {
        if (isFull() || budget_ <= 0) return;
        if (isCovered(bars.rect) || readLinearRegion(bars)) continue;
        readView({bars.rect, 2}, {formats_ & linearFormats, true, false});
    }
    readSoftly(places);
}

} // namespace glimpse
