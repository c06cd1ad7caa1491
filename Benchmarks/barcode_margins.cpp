// SPDX-License-Identifier: Apache-2.0
// The soft decoder's candidates with their margins, before any is dropped: what barcode_margins.py counts.
//
//   barcode_margins WIDTH HEIGHT < frames of 8-bit luma
//
// Prints a line for each candidate: "picture" or "film", frames in the evidence, format, digits, margin.

#include "BarEvidence.hpp"
#include "CZXing.h"
#include "Formats.hpp"
#include "Localisation.hpp"
#include "SymbolInterface.hpp"

#include <cstdio>
#include <cstdlib>
#include <list>
#include <memory>
#include <vector>

using namespace glimpse;

namespace {

constexpr size_t mostPlaces = 6;
constexpr float leastCoherence = 0.3f, leastLikeness = 0.6f;
constexpr int shortest = 40, lowest = 8;

void print(const char *kind, int frames, const RetailRead &read) {
    if (read.format) std::printf("%s %d %u %s %.2f\n", kind, frames, read.format, read.digits.c_str(), double(read.margin));
}

/// A place that is followed by its looks while its frames add up.
struct Place {
    BarEvidence evidence;
    std::unique_ptr<czx_pattern, decltype(&czx_pattern_destroy)> pattern{czx_pattern_create(), czx_pattern_destroy};

    bool begin(const Luma &luma, const Region &region) {
        if (!evidence.begin(luma, region.rect, region.angle)) return false;
        float corners[8];
        write(evidence.quad(), corners);
        czx_luma plain{luma.pixels, luma.width, luma.height, luma.stride};
        return czx_pattern_learn(pattern.get(), &plain, corners) == 1;
    }

    bool add(const Luma &luma) {
        float corners[8], found[8];
        write(evidence.quad(), corners);
        czx_luma plain{luma.pixels, luma.width, luma.height, luma.stride};
        if (czx_pattern_find(pattern.get(), &plain, corners, found) < leastLikeness) return false;
        evidence.add(luma, quad(found));
        return true;
    }
};

} // namespace

int main(int count, char **arguments) {
    if (count != 3) return 2;
    int width = std::atoi(arguments[1]), height = std::atoi(arguments[2]);
    std::vector<uint8_t> pixels(size_t(width) * size_t(height));
    Localisation map;
    std::list<Place> places;
    while (std::fread(pixels.data(), 1, pixels.size(), stdin) == pixels.size()) {
        Luma luma{pixels.data(), width, height, width};
        places.remove_if([&](Place &place) { return !place.add(luma); });
        for (Place &place : places) print("film", place.evidence.pictures(), place.evidence.readRetail(allFormats));
        map.measure(luma);
        size_t tried = 0;
        for (const Region &region : map.regions()) {
            const Rect &r = region.rect;
            bool isSmall = std::max(r.width(), r.height()) < shortest || std::min(r.width(), r.height()) < lowest;
            if (isSmall || region.coherence < leastCoherence || ++tried > mostPlaces) continue;
            Place place;
            if (!place.begin(luma, region)) continue;
            print("picture", 1, place.evidence.readRetail(allFormats));
            auto isSame = [&](const Place &other) { return contains(other.evidence.quad(), center(place.evidence.quad())); };
            if (places.size() < mostPlaces && std::none_of(places.begin(), places.end(), isSame)) places.push_back(std::move(place));
        }
    }
}
