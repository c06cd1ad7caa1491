// SPDX-License-Identifier: Apache-2.0
#include "Search.hpp"

#include "Appearance.hpp"
#include "Formats.hpp"
#include "LinearExtent.hpp"
#include "MeanLine.hpp"
#include "RetailFit.hpp"
#include "Transmission.hpp"

#include <algorithm>
#include <cmath>

namespace glimpse {
namespace {

constexpr float quietShare = 0.12f;
/// Pixels. The local threshold looks 20 pixels around, and sees noise in modules that are as large. So symbols of this
/// size are read at half of it first, at a quarter of the price.
constexpr int largeSide = 200;
constexpr int smallPicture = 320 * 320; // pixels; a cut-out, as from a track, that localisation may misjudge

constexpr double matrixPrice = 14;

/// About the time that ZXing 1.4 takes for a patch without a symbol, in nanoseconds a pixel of one core. Measured on a
/// 1280x720 photograph; only the ratios matter.
double price(const Luma &patch, const Attempt &attempt) {
    bool isLinear = (attempt.formats & linearFormats) != 0;
    double perPixel = isLinear ? (!attempt.harder ? 0.1 : attempt.rotated ? 8 : 3.5)
                               : (attempt.formats & CZX_AZTEC ? matrixPrice : 7);
    return perPixel * double(patch.rect().area());
}

/// Pixels of paper to look for beyond the ends of an unchecked symbol. For a long Codabar symbol, 4 % of the width is
/// more than the quiet zone that its decoder asks for: half a character.
float quietZone(const Symbol &symbol) {
    if (symbol.format != CZX_CODABAR) return INFINITY;
    Point start = 0.5f * (symbol.quad[0] + symbol.quad[3]), end = 0.5f * (symbol.quad[1] + symbol.quad[2]);
    return 0.4f * length(end - start) / float(symbol.text.size());
}

/// The formats that a region may have by the directions of its edges. A grid of squares has as many edges in one
/// direction as in the one across it, however it lies. Bars have not; the rows of PDF417 are in between.
uint32_t plausible(const Region &region, uint32_t formats) {
    if (region.coarse) return formats; // may be several things
    uint32_t out = 0;
    if (region.coherence > 0.3f) out |= linearFormats;
    if (region.coherence > 0.2f && region.coherence < 0.9f) out |= CZX_PDF417;
    if (region.coherence < 0.5f) out |= matrixFormats & ~uint32_t(CZX_PDF417);
    return out & formats;
}

} // namespace

void Search::begin(const Luma &picture, uint32_t formats, int effort, int limit) {
    picture_ = picture, formats_ = formats, effort_ = effort, limit_ = limit;
    found_.clear(), hidden_.clear(), tried_.clear(), changed_.clear(), unread_.clear();
    reserve_ = 0, isStream_ = false;
}

std::vector<Symbol> Search::read(const Luma &picture, uint32_t formats, int effort, int limit) {
    begin(picture, formats, effort, limit);
    bool isAlone = effort == CZX_HARD || effort == CZX_THOROUGH;
    if (isAlone)
        for (Symbol &symbol : readOwnWay(picture, formats)) accept(std::move(symbol));
    if (picture.width < 3 || picture.height < 3) return std::move(found_);
    double pixels = double(picture.width) * picture.height;
    budget_ = effort == CZX_FAST ? std::max(1.5e6, 1.5 * pixels)
        : effort == CZX_ADAPTIVE ? std::max(5e6, 6 * pixels) : std::max(1e9, 1000 * pixels);
    map_.measure(picture);
    readWhole(effort == CZX_HARD);
    readRegions();
    bool isSmall = picture.width * picture.height < smallPicture && budget_ > 0 && effort == CZX_ADAPTIVE;
    if (isSmall && found_.empty()) readWhole(true);
    if (effort == CZX_HARD) readHard();
    if (effort != CZX_FAST) readSoftly(map_.regions());
    if (effort == CZX_THOROUGH && !isExplained()) {
        readAgain();
        readBars();
    }
    if (effort == CZX_HARD) readBars();
    return std::move(found_);
}

void Search::readWhole(bool harder) {
    // Somebody holds a code into the camera: fifteen lines around the middle cost next to nothing.
    View whole{picture_.rect()};
    if (uint32_t linear = formats_ & linearFormats) readView(whole, {linear, harder, harder});
    uint32_t matrix = formats_ & matrixFormats;
    if (!harder || !matrix) return;
    readView(whole, {matrix, true, true});
    if (uint32_t alone = matrix & aloneFormats) readView(whole, {alone, true, true, Threshold::local, true});
}

void Search::readRegions() {
    // Reading a symbol changes the map, and what touched it becomes a region of its own.
    for (size_t before = size_t(-1); before != found_.size() && !isFull();) {
        before = found_.size();
        auto regions = inOrder(map_.regions());
        std::vector<Region> unlikely;
        for (const Region &region : regions) {
            const Rect &r = region.rect;
            if (!mayTry(r)) return;
            if (isHopeless(r)) continue;
            if (seemsUnlikely(r)) unlikely.push_back(region);
            else tryRegion(region);
        }
        for (const Region &region : unlikely) {
            if (!mayTry(region.rect)) return;
            if (!isHopeless(region.rect)) tryRegion(region);
        }
    }
    if (effort_ == CZX_FAST) return;
    for (size_t i = 0; i < unread_.size() && budget_ > reserve_ && !isFull(); ++i)
        if (!isCovered(unread_[i].rect)) readMatrixRegionHarder(unread_[i]);
}

bool Search::wasTried(const Rect &rect) const {
    return std::any_of(tried_.begin(), tried_.end(), [&](const Rect &tried) { return overlapShare(tried, rect) > 0.5f; });
}

/// Places that fail again and again leave budget for other ways of looking.
bool Search::mayTry(const Rect &rect) const { return !isFull() && budget_ > (hasChanged(rect) ? reserve_ / 4 : 0); }

bool Search::isHopeless(const Rect &rect) const {
    bool isSmall = std::max(rect.width(), rect.height()) < smallestSide || std::min(rect.width(), rect.height()) < 6;
    return isSmall || wasTried(rect) || isCovered(rect);
}

void Search::tryRegion(const Region &region) {
    tried_.push_back(region.rect);
    if (!readRegion(region)) unread_.push_back(region);
}

bool Search::hasChanged(const Rect &rect) const { return lastTry(rect) > 0; }

bool Search::readRegion(const Region &region) {
    bool linearFirst = region.coherence > 0.5f;
    if (linearFirst ? readLinearRegion(region) : readMatrixRegion(region)) return true;
    if (isFull() || budget_ <= 0) return false;
    return linearFirst ? readMatrixRegion(region) : readLinearRegion(region);
}

bool Search::readLinearRegion(const Region &region) {
    uint32_t linear = plausible(region, formats_) & linearFormats;
    if (!linear) return false;
    View view{padded(region.rect, quietShare)};
    float tilt = std::abs(region.angle); // 0: bars upright, 90: bars lying
    bool coherent = region.coherence > 0.5f;
    if (readView(view, {linear, true, !(coherent && tilt < 30)})) return true;
    if (!coherent || tilt < 12 || tilt > 78) return false;
    view.angle = region.angle;
    return readView(view, {linear, true, false});
}

bool Search::readMatrixRegion(const Region &region) {
    uint32_t matrix = plausible(region, formats_) & matrixFormats;
    if (!matrix) return false;
    if (readMatrixView({padded(region.rect, quietShare)}, {matrix, true, true})) return true;
    return readMicroQRRegion(region, 0);
}

bool Search::readMatrixView(View view, const Attempt &attempt) {
    if (std::min(view.rect.width(), view.rect.height()) >= largeSide) {
        View half = view;
        half.scale = 0.5f;
        if (readView(half, attempt)) return true;
    }
    return readView(view, attempt);
}

bool Search::readMicroQRRegion(const Region &region, float angle) {
    int width = region.rect.width(), height = region.rect.height();
    bool isSquare = 3 * std::min(width, height) > 2 * std::max(width, height);
    if (!(formats_ & aloneFormats) || !isSquare || isFull() || budget_ <= 0) return false;
    // Without a margin: what is next to the symbol would be taken for a part of it.
    View view{region.rect, 1, angle};
    return readView(view, {formats_ & aloneFormats, true, true, Threshold::local, true});
}

void Search::readMatrixRegionHarder(const Region &region) {
    uint32_t matrix = plausible(region, formats_) & matrixFormats;
    if (!matrix) return;
    View view{padded(region.rect, quietShare)};
    // The local threshold works on blocks of 8 pixels: small modules have to be enlarged.
    bool small = view.rect.area() < 200 * 200;
    if (small) view.scale = 2;
    if (small && readView(view, {matrix, true, true})) return;
    // Aztec and PDF417 are found upright only.
    float tilt = gridAngle(picture_, region.rect);
    if (std::abs(tilt) > 6 && (matrix & (CZX_AZTEC | CZX_PDF417)) && budget_ > 0) {
        View upright = view;
        upright.angle = tilt;
        if (readView(upright, {matrix, true, true})) return;
    }
    for (float turn : {0.0f, 90.0f, 180.0f, 270.0f})
        if (turn + std::abs(tilt) > 2 && readMicroQRRegion(region, tilt + turn)) return;
    if (budget_ > 0) readView(view, {matrix, true, true, Threshold::global});
}

bool Search::readView(const View &view, const Attempt &attempt) {
    bool isLinear = (attempt.formats & linearFormats) != 0;
    bool any = false;
    for (bool fresh = true; fresh && budget_ > 0 && !isFull() && !isCovered(view.rect); any |= fresh) {
        fresh = false;
        patch_.show(picture_, view, hidden_);
        const Luma &luma = patch_.luma();
        if (luma.width < 3 || luma.height < 3) break;
        double cost = price(luma, attempt);
        for (Symbol &symbol : isLinear ? readLinear(luma, attempt) : readMatrix(luma, attempt)) {
            symbol.quad = patch_.toPicture(symbol.quad);
            symbol.inverted = view.inverted;
            fresh |= accept(std::move(symbol));
        }
        if (!fresh) budget_ -= cost;
    }
    return any;
}

bool Search::accept(Symbol symbol) {
    if ((symbol.format & linearFormats) && !(symbol.format == CZX_DATABAR_EXPANDED && area(symbol.quad) > 0)) {
        // One scan line: the decoder may have joined lines of two equal labels to one position.
        symbol.quad = linearExtent(picture_, symbol.quad[0], symbol.quad[1]);
        if (needsMeanLine(symbol, picture_.height) && !isBorneOut(picture_, symbol)) return false;
        bool isUnchecked = (symbol.format & uncheckedFormats) != 0;
        if (isUnchecked && !symbol.inverted && !hasQuietZones(picture_, symbol.quad, quietZone(symbol))) return false;
    }
    if (isFull() || isKnown(symbol) || isContradicted(symbol)) return false;
    keep(std::move(symbol));
    return true;
}

/// Whether the bars show another value than the one that a few scan lines gave. The check digit lets one wrong guess in
/// ten pass.
bool Search::isContradicted(const Symbol &symbol) const {
    if (!(symbol.format & upcEanFormats)) return false;
    Symbol plain = symbol;
    makeTransmitted(plain);
    return retailMargin(picture_, symbol.quad, symbol.format, plain.text) < 0;
}

void Search::findAddOn(Symbol &symbol) {
    View level{padded(intersection(bounds(symbol.quad), picture_.rect()), 0.75f)}; // an add-on ends 0.6 widths away
    float tilt = orientation(symbol.quad);
    if (std::min(std::fmod(tilt, 180.0f), 180.0f - std::fmod(tilt, 180.0f)) > 3) level.angle = tilt;
    patch_.show(picture_, level, hidden_);
    if (patch_.luma().width >= 3 && patch_.luma().height >= 3) symbol.addOn = readAddOn(patch_.luma(), symbol);
}

bool Search::isKnown(const Symbol &symbol) const {
    Point middle = center(symbol.quad);
    if (area(symbol.quad) < 1 || !contains(corners(picture_.rect()), middle)) return true; // nowhere
    return std::any_of(found_.begin(), found_.end(), [&](const Symbol &known) {
        // The rows of a stacked DataBar that has been read, but was not hidden whole, join to nonsense.
        bool stacked = (known.format & symbol.format & dataBarFormats) != 0
            && length(middle - center(known.quad)) < length(known.quad[1] - known.quad[0]);
        bool same = known.format == symbol.format && known.bytes == symbol.bytes;
        bool there = contains(grown(known.quad, 4), middle) || contains(symbol.quad, center(known.quad))
            || ((symbol.format & linearFormats) && areConnected(picture_, known.quad, symbol.quad));
        // Few lines of a symbol may be read as another one: there is one where the bars are.
        bool misread = (known.format & linearFormats) && (symbol.format & linearFormats)
            && (contains(known.quad, middle) || contains(symbol.quad, center(known.quad)));
        return stacked || misread || (same && there);
    });
}

void Search::keep(Symbol symbol) {
    if (symbol.format & (CZX_EAN_13 | CZX_UPC_A | CZX_UPC_E)) findAddOn(symbol);
    map_.erase(symbol.quad);
    hidden_.push_back(grown(symbol.quad, 3));
    found_.push_back(std::move(symbol));
}

Rect Search::padded(const Rect &r, float share) const {
    int margin = map_.cell() + int(share * float(std::max(r.width(), r.height())));
    return intersection({r.left - margin, r.top - margin, r.right + margin, r.bottom + margin}, picture_.rect());
}

bool Search::isCovered(const Rect &rect) const {
    // The edge of a label around a symbol is a region too.
    long covered = 0;
    for (const Quad &quad : hidden_)
        if (Rect common = intersection(bounds(quad), rect); !common.empty()) covered += common.area();
    return float(covered) > 0.35f * float(rect.area());
}

} // namespace glimpse
