// SPDX-License-Identifier: Apache-2.0
// Linear symbols of single pictures that are located and not read: the soft decoder.

#include "Search.hpp"

#include "BarEvidence.hpp"
#include "Formats.hpp"
#include "RetailSymbol.hpp"
#include "SharpLine.hpp"

#include <algorithm>

namespace glimpse {
namespace {

constexpr float leastCoherence = 0.3f;
constexpr int shortest = 40, lowest = 8; // pixels: UPC-E at 0.8 pixels a module
constexpr size_t mostPlaces = 6; // of one picture
constexpr double softPrice = 2e6; // nanoseconds

} // namespace

void Search::readSoftly(const std::vector<Region> &places) {
    if (!(formats_ & (upcEanFormats | sharpenedFormats))) return;
    std::vector<Rect> seen;
    for (const Region &region : places) {
        const Rect &r = region.rect;
        bool isSmall = std::max(r.width(), r.height()) < shortest || std::min(r.width(), r.height()) < lowest;
        auto isSame = [&](const Rect &other) { return intersection(other, r).area() > 0.6 * double(std::max(other.area(), r.area())); };
        auto overlaps = [&](const Rect &other) { return r.overlaps(other) && isSame(other); };
        if (region.coherence < leastCoherence || isSmall || isCovered(r) || std::any_of(seen.begin(), seen.end(), overlaps)) continue;
        if (seen.size() >= mostPlaces || budget_ <= 0 || isFull()) return;
        seen.push_back(r);
        budget_ -= softPrice;
        BarEvidence evidence;
        if (!evidence.begin(picture_, r, region.angle)) continue;
        RetailRead read = evidence.readRetail(formats_);
        auto symbol = retailSymbol(read, evidence.bars(read), formats_);
        if (!symbol) symbol = evidence.readSharpened(formats_);
        if (symbol && !isKnown(*symbol)) keep(std::move(*symbol));
    }
}

} // namespace glimpse
