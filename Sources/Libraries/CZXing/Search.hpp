// SPDX-License-Identifier: Apache-2.0
// Chooses the parts of a picture to decode, the ways and the order.
#pragma once

#include "CZXing.h"
#include "Decoder.hpp"
#include "Localisation.hpp"
#include "Patch.hpp"

#include <vector>

namespace glimpse {

constexpr int smallestSide = 16; // picture pixels; below, no symbology has modules of a pixel

/// Finds the symbols of one picture after another. Holds scratch memory only.
class Search {
public:
    /// `formats` is not empty; `limit` > 0.
    std::vector<Symbol> read(const Luma &picture, uint32_t formats, int effort, int limit);

    /// The knowledge about a stream's frame before and after its search.
    struct Progress {
        std::vector<Quad> known;      ///< symbols that need not be found
        std::vector<Rect> hopeless;   ///< places that need not be tried
        std::vector<Rect> changed;    ///< tried places that look different now, the one tried longest ago first
        double budget = 0;            ///< see `budget_`; what is left of it afterwards
        std::vector<Region> unread;   ///< what was tried in vain
        std::vector<Region> bars;     ///< that were not tried now: within larger places, or hopeless
    };
    std::vector<Symbol> readNew(const Luma &picture, uint32_t formats, int limit, Progress &progress);
    /// Reads `place` in one way (CZX_AS_IT_IS, ...).
    std::vector<Symbol> readPlace(const Luma &picture, uint32_t formats, int limit, Rect place, float angle, int way);

private:
    void begin(const Luma &picture, uint32_t formats, int effort, int limit);
    void readRegions();
    bool readRegion(const Region &region);
    bool readLinearRegion(const Region &region);
    bool readMatrixRegion(const Region &region);
    bool readMatrixView(View view, const Attempt &attempt);
    bool readMicroQRRegion(const Region &region, float angle);
    void readMatrixRegionHarder(const Region &region);
    std::vector<Region> untriedBars() const;
    void readBars();
    void readMicroQRPlace(View view, float tilt);
    void stretch(const Rect &place);
    void enlarge(const Rect &place);
    void readWhole(bool harder);
    void readHard();
    /// The ways of `readHard` that find most for their time.
    void readAgain();
    /// Whether everything that is printed like a code has been read.
    bool isExplained() const;
    /// Reads the first of the places that may be bars, by likelihood.
    void readSoftly(const std::vector<Region> &places);
    void readEveryWay(const Rect &place);
    /// Decodes until nothing new comes. True if something was read.
    bool readView(const View &view, const Attempt &attempt);
    /// Completes and keeps a symbol, whose place is in picture pixels, unless it is known, false, or one too many.
    bool accept(Symbol symbol);
    /// Whether the symbol was kept before, or stands nowhere in the picture.
    bool isKnown(const Symbol &symbol) const;
    void keep(Symbol symbol);
    bool isContradicted(const Symbol &symbol) const;
    void findAddOn(Symbol &symbol);
    Rect padded(const Rect &rect, float share) const;
    bool isCovered(const Rect &rect) const;
    bool wasTried(const Rect &rect) const;
    bool hasChanged(const Rect &rect) const;
    std::vector<Region> inOrder(std::vector<Region> regions) const;
    size_t lastTry(const Rect &rect) const;
    bool isCut(const Rect &rect) const;
    bool mayTry(const Rect &rect) const;
    bool isHopeless(const Rect &rect) const;
    bool seemsUnlikely(const Rect &rect);
    void tryRegion(const Region &region);
    bool isFull() const { return int(found_.size()) >= limit_; }

    Luma picture_;
    uint32_t formats_ = 0;
    int effort_ = CZX_ADAPTIVE, limit_ = 0;
    double budget_ = 0; ///< nanoseconds that may still be spent on patches that give nothing; see `price`
    Localisation map_;
    Patch patch_;
    std::vector<Symbol> found_;
    std::vector<Quad> hidden_; ///< the places of `found_`
    std::vector<Rect> tried_, changed_;
    bool isStream_ = false;
    double reserve_ = 0; ///< of the budget, not spent on looking at one place in several ways
    std::vector<Region> unread_;
    std::vector<uint8_t> copy_; ///< of a place, changed
};

} // namespace glimpse
