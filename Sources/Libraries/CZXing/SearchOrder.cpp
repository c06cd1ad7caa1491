// SPDX-License-Identifier: Apache-2.0
// The order in which the search of a stream's frame tries its places.

#include "Search.hpp"

#include "Appearance.hpp"

#include <algorithm>

namespace glimpse {
namespace {

constexpr double appearancePrice = 5e4; // nanoseconds of `looksLikeCode`

} // namespace

/// New places come first: they must not wait for places that change all the time. Those take turns: the place that was
/// tried longest ago comes first. Places that the picture's edge cuts come last, because few of them can be read. A
/// place that has entered since its last try comes as early as a new one.
std::vector<Region> Search::inOrder(std::vector<Region> regions) const {
    auto turn = [&](const Region &region) {
        size_t last = lastTry(region.rect);
        if (isCut(region.rect)) return changed_.size() + 1 + last;
        return last > 0 && isCut(changed_[last - 1]) ? 0 : last;
    };
    std::stable_sort(regions.begin(), regions.end(), [&](auto &a, auto &b) { return turn(a) < turn(b); });
    return regions;
}

/// Slivers, which edges give by the dozen, and places that gave nothing before and do not look like a code now.
bool Search::seemsUnlikely(const Rect &rect) {
    if (std::min(rect.width(), rect.height()) < smallestSide) return true;
    if (!hasChanged(rect)) return false;
    budget_ -= appearancePrice;
    return !looksLikeCode(picture_, rect);
}

/// 0: never, else the more the later.
size_t Search::lastTry(const Rect &rect) const {
    for (size_t i = changed_.size(); i > 0; --i)
        if (overlapShare(changed_[i - 1], rect) > 0.5f) return i;
    return 0;
}

bool Search::isCut(const Rect &rect) const {
    Rect whole = picture_.rect();
    bool isInside = rect.left > whole.left && rect.top > whole.top && rect.right < whole.right && rect.bottom < whole.bottom;
    return isStream_ && !isInside;
}

} // namespace glimpse
