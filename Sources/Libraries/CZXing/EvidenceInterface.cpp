// SPDX-License-Identifier: Apache-2.0
// `czx_evidence_...`: what many pictures of a symbol show, behind the C interface.

#include "BarEvidence.hpp"
#include "CZXing.h"
#include "Localisation.hpp"
#include "RetailSymbol.hpp"
#include "SymbolInterface.hpp"
#include "Transmission.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

struct czx_evidence {
    glimpse::BarEvidence evidence;
};

namespace {

constexpr float leastCoherence = 0.3f; // of bars that blur and noise cover
constexpr float mostError = 0.1f;     // of the likeliest value; 19 of 20 small noisy symbols have less

bool isPossible(const czx_luma *luma) {
    return luma && luma->pixels && luma->width >= 1 && luma->height >= 1 && luma->width <= 32767 && luma->height <= 32767
        && luma->stride >= luma->width;
}

glimpse::Luma view(const czx_luma &l) { return {l.pixels, l.width, l.height, l.stride}; }

} // namespace

czx_evidence *czx_evidence_create(void) { return new (std::nothrow) czx_evidence; }

void czx_evidence_destroy(czx_evidence *evidence) { delete evidence; }

int32_t czx_evidence_begin(czx_evidence *evidence, const czx_luma *luma, const czx_rect *place, float corners[8]) {
    using namespace glimpse;
    if (!evidence || !place || !corners || !isPossible(luma)) return CZX_INVALID_ARGUMENT;
    try {
        Luma picture = view(*luma);
        Rect rect = intersection(nearby(*place), picture.rect());
        Direction direction = mainDirection(picture, rect);
        if (direction.coherence < leastCoherence || !evidence->evidence.begin(picture, rect, direction.angle)) return 0;
        write(evidence->evidence.quad(), corners);
        return 1;
    } catch (const std::exception &) {
        return CZX_DECODER_FAILED; // out of memory
    }
}

int32_t czx_evidence_add(czx_evidence *evidence, const czx_luma *luma, const float corners[8]) {
    using namespace glimpse;
    auto isNear = [](float c) { return std::abs(c) < 1e5f; };
    if (!evidence || !corners || !isPossible(luma) || !std::all_of(corners, corners + 8, isNear)) return CZX_INVALID_ARGUMENT;
    try {
        evidence->evidence.add(view(*luma), quad(corners));
        return evidence->evidence.pictures();
    } catch (const std::exception &) {
        return CZX_DECODER_FAILED;
    }
}

int32_t czx_evidence_read(const czx_evidence *evidence, uint32_t formats, czx_symbol *out, uint8_t *arena, size_t arena_capacity,
                          float *margin) {
    using namespace glimpse;
    if (!evidence || !out || !arena || !margin) return CZX_INVALID_ARGUMENT;
    if (!formats) formats = allFormats;
    try {
        RetailRead read = evidence->evidence.readRetail(formats);
        *margin = read.error < mostError ? read.margin : 0;
        auto symbol = retailSymbol(read, evidence->evidence.bars(read), formats);
        if (!symbol && (symbol = evidence->evidence.readSharpened(formats))) makeTransmitted(*symbol);
        if (!symbol || arena_capacity < symbol->text.size() + symbol->bytes.size()) return 0;
        *out = plain(*symbol, 0);
        std::copy(symbol->bytes.begin(), symbol->bytes.end(), std::copy(symbol->text.begin(), symbol->text.end(), arena));
        return 1;
    } catch (const std::exception &) {
        return CZX_DECODER_FAILED;
    }
}
