#include "Search.hpp"

#include "Formats.hpp"
#include "LinearExtent.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

constexpr int smallestSide = 16; // picture pixels; below, no symbology has modules of a pixel

float overlapShare(const Rect &a, const Rect &b) {
    Rect common = intersection(a, b);
    return common.empty() ? 0 : float(common.area()) / float(std::max(a.area(), b.area()));
}

} // namespace

std::vector<Symbol> Search::read(const Luma &picture, uint32_t formats, int effort, int limit) {
    picture_ = picture, formats_ = formats, effort_ = effort, limit_ = limit;
    found_.clear(), hidden_.clear(), tried_.clear();
    if (picture.width < 3 || picture.height < 3) return {};
    long frame = long(picture.width) * picture.height;
    budget_ = effort == CZX_FAST ? std::max(120'000L, frame / 8)
        : effort == CZX_ADAPTIVE ? std::max(1'000'000L, 2 * frame) : 1L << 60;
    map_.measure(picture);
    readRegions();
    if (effort != CZX_FAST) readWhole();
    if (effort == CZX_HARD) readHard();
    return std::move(found_);
}

void Search::readRegions() {
    // Reading a symbol changes the map, and what touched it becomes a region of its own.
    for (size_t before = size_t(-1); before != found_.size() && !isFull();) {
        before = found_.size();
        for (const Region &region : map_.regions()) {
            if (isFull() || budget_ <= 0) return;
            Rect r = region.rect;
            if (std::max(r.width(), r.height()) < smallestSide || std::min(r.width(), r.height()) < 6) continue;
            bool known = std::any_of(tried_.begin(), tried_.end(),
                                     [&](const Rect &t) { return overlapShare(t, r) > 0.8f; });
            if (known || isCovered(r)) continue;
            tried_.push_back(r);
            readRegion(region);
        }
    }
}

void Search::readRegion(const Region &region) {
    View view{padded(region.rect, 0.12f)};
    bool linearLike = region.coherence > 0.25f || region.coarse;
    bool matrixLike = region.coherence < 0.9f || region.coarse;
    uint32_t linear = formats_ & linearFormats, matrix = formats_ & matrixFormats;
    if (linear && linearLike) {
        float tilt = std::abs(region.angle); // 0: bars upright, 90: bars lying
        bool upright = region.coherence > 0.5f && tilt < 30;
        Attempt attempt{linear, true, !upright};
        if (!readView(view, attempt) && region.coherence > 0.5f && tilt > 12 && tilt < 78) {
            View turned = view;
            turned.angle = region.angle;
            readView(turned, {linear, true, false});
        }
    }
    if (matrix && matrixLike && !isFull() && !isCovered(region.rect)) readView(view, {matrix, true, true});
}

void Search::readWhole() {
    View whole{picture_.rect()};
    if (isFull()) return;
    if (uint32_t linear = formats_ & linearFormats) readView(whole, {linear, true, effort_ == CZX_HARD});
    if (isFull() || (effort_ != CZX_HARD && !found_.empty())) return;
    if (uint32_t matrix = formats_ & matrixFormats) readView(whole, {matrix, true, true});
}

void Search::readHard() {
    uint32_t linear = formats_ & linearFormats, matrix = formats_ & matrixFormats;
    auto tryAll = [&](View view, Threshold threshold) {
        if (linear && !isFull()) readView(view, {linear, true, true, threshold});
        if (matrix && !isFull()) readView(view, {matrix, true, true, threshold});
    };
    std::vector<Rect> places{picture_.rect()};
    for (const Region &region : map_.regions()) {
        if (places.size() >= 8) break;
        if (region.rect.width() >= smallestSide && region.rect.height() >= smallestSide)
            places.push_back(padded(region.rect, 0.15f));
    }
    for (const Rect &place : places) {
        if (isCovered(place)) continue;
        tryAll({place}, Threshold::global);
        bool small = std::max(place.width(), place.height()) < 700, large = place.area() > 250'000;
        tryAll({place, 1, 0, true}, Threshold::local);
        if (small) tryAll({place, 2}, Threshold::local);
        if (large) tryAll({place, 0.5f}, Threshold::local), tryAll({place, 0.34f}, Threshold::local);
        for (float angle : {-30.0f, 30.0f, 45.0f}) tryAll({place, 1, angle}, Threshold::local);
    }
}

bool Search::readView(const View &view, const Attempt &attempt) {
    bool any = false;
    while (!isFull()) {
        patch_.show(picture_, view, hidden_);
        const Luma &luma = patch_.luma();
        budget_ -= luma.rect().area();
        if (luma.width < 3 || luma.height < 3) return any;
        bool isLinear = (attempt.formats & linearFormats) != 0;
        bool fresh = false;
        for (Symbol &symbol : isLinear ? readLinear(luma, attempt) : readMatrix(luma, attempt)) {
            symbol.quad = patch_.toPicture(symbol.quad);
            symbol.inverted = view.inverted;
            if (isLinear && !(symbol.format == CZX_DATABAR_EXPANDED && symbol.lineCount > 0 && area(symbol.quad) > 0)) {
                Point start = 0.5f * (symbol.quad[0] + symbol.quad[3]), end = 0.5f * (symbol.quad[1] + symbol.quad[2]);
                symbol.quad = linearExtent(picture_, start, end);
            }
            fresh |= keep(std::move(symbol));
            if (isFull()) return true;
        }
        any |= fresh;
        if (!fresh || budget_ <= 0) return any;
    }
    return any;
}

bool Search::keep(Symbol symbol) {
    Point middle = center(symbol.quad);
    if (area(symbol.quad) < 1 || !contains(corners(picture_.rect()), middle)) return false;
    for (const Symbol &known : found_) {
        // The rows of a stacked DataBar that has been read, but was not hidden whole, join to nonsense.
        bool stacked = (known.format & symbol.format & dataBarFormats) != 0
            && length(middle - center(known.quad)) < length(known.quad[1] - known.quad[0]);
        if (stacked) return false;
        bool same = known.format == symbol.format && known.bytes == symbol.bytes;
        bool there = contains(grown(known.quad, 4), center(symbol.quad)) || contains(symbol.quad, center(known.quad));
        if (same && there) return false;
    }
    Quad place = grown(symbol.quad, 3);
    map_.erase(symbol.quad);
    hidden_.push_back(place);
    found_.push_back(std::move(symbol));
    return true;
}

Rect Search::padded(const Rect &r, float share) const {
    int margin = map_.cell() + int(share * float(std::max(r.width(), r.height())));
    return intersection({r.left - margin, r.top - margin, r.right + margin, r.bottom + margin}, picture_.rect());
}

bool Search::isCovered(const Rect &rect) const {
    for (const Quad &quad : hidden_) {
        Rect common = intersection(bounds(quad), rect);
        if (!common.empty() && float(common.area()) > 0.6f * float(rect.area())) return true;
    }
    return false;
}

} // namespace glimpse
