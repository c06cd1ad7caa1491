// SPDX-License-Identifier: Apache-2.0
// Efforts `thorough` and `hard`: single pictures, in which much or everything is tried.

#include "Search.hpp"

#include "Appearance.hpp"
#include "Formats.hpp"

#include <algorithm>
#include <utility>

namespace glimpse {
namespace {

constexpr long leastHalved = 30'000; // pixels: smaller pictures have no modules to spare

} // namespace

bool Search::isExplained() const {
    auto regions = map_.regions();
    return !found_.empty() && std::none_of(regions.begin(), regions.end(), [&](const Region &region) {
        return !isCovered(region.rect) && looksLikeCode(picture_, region.rect);
    });
}

void Search::readAgain() {
    Rect whole = picture_.rect();
    for (auto [scale, threshold] : {std::pair{0.5f, Threshold::local}, {1.0f, Threshold::global}})
        for (uint32_t formats : {formats_ & linearFormats, formats_ & matrixFormats})
            if (formats && !isFull() && (scale == 1 || whole.area() > leastHalved)) readView({whole, scale}, {formats, true, true, threshold});
}

void Search::readHard() {
    std::vector<Rect> places{picture_.rect()};
    for (const Region &region : map_.regions()) {
        if (places.size() >= 8) break;
        if (region.rect.width() >= smallestSide && region.rect.height() >= smallestSide)
            places.push_back(padded(region.rect, 0.15f));
    }
    for (const Rect &place : places)
        if (!isCovered(place)) readEveryWay(place);
    if (findsAnywhere) return;
    // Half-size tiles at half-size steps and quarters: symbols that touch, and symbologies found in the middle only.
    for (int parts : {2, 3, 4}) {
        int width = picture_.width / parts, height = picture_.height / parts;
        for (int y = 0; y <= 2 * (parts - 1); ++y)
            for (int x = 0; x <= 2 * (parts - 1); ++x) {
                if (std::min(width, height) < smallestSide || isFull()) return;
                Rect tile{x * width / 2, y * height / 2, x * width / 2 + width, y * height / 2 + height};
                if (uint32_t matrix = formats_ & matrixFormats; matrix && !isCovered(tile))
                    readView({tile}, {matrix, true, true});
            }
    }
}

void Search::readEveryWay(const Rect &place) {
    auto read = [&](View view, Threshold threshold) {
        for (uint32_t formats : {formats_ & linearFormats, formats_ & matrixFormats})
            if (formats && !isFull()) readView(view, {formats, true, true, threshold});
    };
    // MaxiCode is found upright only.
    for (float turn : {90.0f, 180.0f, 270.0f})
        if (uint32_t upright = formats_ & CZX_MAXI_CODE; upright && !isFull()) readView({place, 1, turn}, {upright, true, true});
    read({place}, Threshold::global);
    read({place, 1, 0, true}, Threshold::local);
    if (std::max(place.width(), place.height()) < 700) {
        read({place, 2}, Threshold::local);
        read({place, 2}, Threshold::global);
    }
    if (place.area() > leastHalved) read({place, 0.5f}, Threshold::local);
    if (place.area() > 250'000) read({place, 0.34f}, Threshold::local);
    // A long strip, turned, would be mostly paper.
    if (std::max(place.width(), place.height()) > 4 * std::min(place.width(), place.height()) && place.area() > 30'000)
        return;
    for (float angle : {-30.0f, 30.0f, 45.0f}) read({place, 1, angle}, Threshold::local);
}

} // namespace glimpse
