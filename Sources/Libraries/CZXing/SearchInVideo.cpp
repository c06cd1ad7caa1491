// SPDX-License-Identifier: Apache-2.0
// The searches of a stream's frames besides the full search: only for new symbols, and at one place in one way.

#include "Search.hpp"

#include "Formats.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

constexpr long largestEnlarged = 480 * 480; // pixels: larger symbols have modules enough

} // namespace

std::vector<Symbol> Search::readNew(const Luma &picture, uint32_t formats, int limit, Progress &progress) {
    begin(picture, formats, CZX_ADAPTIVE, limit);
    progress.unread.clear(), progress.bars.clear();
    if (picture.width < 3 || picture.height < 3) return {};
    budget_ = progress.budget, isStream_ = true;
    map_.measure(picture);
    for (const Quad &quad : progress.known) {
        if (!(area(quad) >= 1)) continue;
        map_.erase(quad);
        hidden_.push_back(grown(quad, 3));
    }
    tried_ = progress.hopeless, changed_ = progress.changed;
    reserve_ = budget_ / 2;
    // Somebody holds a code into the camera; with others in view it would have to be painted over in a copy of
    // everything.
    if (progress.known.empty()) readWhole(false);
    readRegions();
    progress.budget = budget_;
    for (const Region &region : unread_)
        if (!isCovered(region.rect)) progress.unread.push_back(region);
    progress.bars = untriedBars();
    return std::move(found_);
}

std::vector<Symbol> Search::readPlace(const Luma &picture, uint32_t formats, int limit, Rect place, float angle, int way) {
    begin(picture, formats, CZX_ADAPTIVE, limit);
    budget_ = 1e9;
    place = intersection(place, picture.rect());
    if (place.width() < 3 || place.height() < 3) return {};
    View view{place};
    Threshold threshold = way == CZX_GLOBAL ? Threshold::global : Threshold::local;
    view.inverted = way == CZX_INVERTED;
    // Some ways read a copy of the place instead of the picture.
    int factor = way == CZX_ENLARGED && place.area() <= largestEnlarged ? 2 : 1;
    bool isCopy = factor == 2 || way == CZX_STRETCHED;
    if (isCopy) {
        if (factor == 2) enlarge(place);
        else stretch(place);
        picture_ = {copy_.data(), factor * place.width(), factor * place.height(), factor * place.width()};
        view.rect = picture_.rect();
    }
    float quarter = std::remainder(angle, 90.0f);
    if (way == CZX_LEVELLED) quarter = gridAngle(picture, place);
    bool isTilted = std::abs(quarter) > 6;
    if (uint32_t matrix = formats & matrixFormats) {
        // Aztec and PDF417 are found upright only.
        bool needsLevel = (matrix & (CZX_AZTEC | CZX_PDF417)) != 0;
        View level = view;
        if (isTilted && (needsLevel || way == CZX_LEVELLED)) level.angle = quarter;
        readMatrixView(level, {matrix, true, true, threshold});
        if (found_.empty() && (matrix & CZX_MICRO_QR_CODE)) readMicroQRPlace(view, quarter);
    }
    if (uint32_t linear = formats & linearFormats; linear && found_.empty()) {
        View level = view;
        bool isUpright = std::abs(std::remainder(angle, 180.0f)) <= 20 && way != CZX_LEVELLED;
        if (isTilted && (std::abs(quarter) > 12 || way == CZX_LEVELLED)) level.angle = quarter;
        readView(level, {linear, true, !(isUpright && angle != 0), threshold});
    }
    if (isCopy)
        for (Symbol &symbol : found_)
            for (Point &p : symbol.quad) p = (1 / float(factor)) * p + Point{float(place.left), float(place.top)};
    return std::move(found_);
}

void Search::readMicroQRPlace(View view, float tilt) {
    if (!isFull()) {
        if (std::abs(tilt) > 3) view.angle = tilt;
        readView(view, {CZX_MICRO_QR_CODE, true, true, Threshold::local, true});
    }
}

/// Copies the place with its luma from the darkest to the lightest fiftieth spread over all levels.
void Search::stretch(const Rect &place) {
    Luma part = picture_.cropped(place);
    int histogram[256] = {}, low = 0, high = 255;
    for (int y = 0; y < part.height; ++y)
        for (int x = 0; x < part.width; ++x) ++histogram[part.at(x, y)];
    long few = place.area() / 50;
    for (long count = 0; low < 255 && (count += histogram[low]) <= few;) ++low;
    for (long count = 0; high > low && (count += histogram[high]) <= few;) --high;
    uint8_t table[256];
    for (int v = 0; v < 256; ++v) table[v] = uint8_t(std::clamp((v - low) * 255 / std::max(1, high - low), 0, 255));
    copy_.resize(size_t(place.area()));
    uint8_t *to = copy_.data();
    for (int y = 0; y < part.height; ++y)
        for (int x = 0; x < part.width; ++x) *to++ = table[part.at(x, y)];
}

/// Copies the place at twice its size by the cubic of Catmull and Rom, whose edges are steeper than those of linear
/// interpolation. So linear symbols of 1.4 pixels a module become readable. New pixels lie a quarter to each side of
/// the old ones.
void Search::enlarge(const Rect &place) {
    Luma part = picture_.cropped(place);
    constexpr float weights[2][4] = {{-0.0234375f, 0.2265625f, 0.8671875f, -0.0703125f},
                                     {-0.0703125f, 0.8671875f, 0.2265625f, -0.0234375f}};
    int width = part.width, height = part.height;
    std::vector<float> line(size_t(width) + 4);
    copy_.resize(size_t(place.area()) * 4);
    uint8_t *to = copy_.data();
    for (int y = 0; y < 2 * height; ++y) {
        const float *w = weights[y & 1];
        int first = y / 2 - 2 + (y & 1);
        for (int x = -2; x < width + 2; ++x) {
            float sum = 0;
            for (int k = 0; k < 4; ++k)
                sum += w[k] * float(part.at(std::clamp(x, 0, width - 1), std::clamp(first + k, 0, height - 1)));
            line[size_t(x + 2)] = sum;
        }
        for (int x = 0; x < 2 * width; ++x) {
            const float *from = &line[size_t(x / 2 + (x & 1))], *v = weights[x & 1];
            float sum = v[0] * from[0] + v[1] * from[1] + v[2] * from[2] + v[3] * from[3];
            *to++ = uint8_t(std::clamp(sum + 0.5f, 0.0f, 255.0f));
        }
    }
}

} // namespace glimpse
