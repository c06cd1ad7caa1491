// SPDX-License-Identifier: Apache-2.0
// Between the C interface's structures and ours.
#pragma once

#include "CZXing.h"
#include "Decoder.hpp"
#include "Formats.hpp"
#include "Geometry.hpp"

#include <algorithm>
#include <cstring>

namespace glimpse {

inline Quad quad(const float *c) { return {Point{c[0], c[1]}, {c[2], c[3]}, {c[4], c[5]}, {c[6], c[7]}}; }

inline void write(const Quad &quad, float *corners) {
    for (size_t i = 0; i < 4; ++i) corners[2 * i] = quad[i].x, corners[2 * i + 1] = quad[i].y;
}

/// So that sides and areas are numbers.
inline Rect nearby(const czx_rect &r) {
    auto near = [](int32_t c) { return std::clamp(c, -100'000, 100'000); };
    return {near(r.left), near(r.top), near(r.right), near(r.bottom)};
}

inline void copyText(const std::string &from, char (&to)[8]) {
    size_t count = std::min(from.size(), sizeof(to) - 1);
    std::memcpy(to, from.data(), count);
    std::memset(to + count, 0, sizeof(to) - count);
}

/// `offset`: where its text stands in the arena; its bytes follow.
inline czx_symbol plain(const Symbol &s, size_t offset) {
    czx_symbol c{};
    c.format = s.format;
    write(s.quad, c.corners);
    c.orientation = orientation(s.quad);
    c.text_offset = uint32_t(offset), c.text_length = uint32_t(s.text.size());
    c.bytes_offset = uint32_t(offset + s.text.size()), c.bytes_length = uint32_t(s.bytes.size());
    copyText(s.symbologyIdentifier, c.symbology_id);
    copyText(s.errorCorrection, c.ec_level);
    copyText(s.addOn, c.add_on);
    c.is_text = s.isText, c.is_gs1 = s.isGS1, c.mirrored = s.mirrored, c.inverted = s.inverted;
    c.reader_init = s.readerInit;
    c.sequence_size = s.sequenceSize, c.sequence_index = s.sequenceIndex;
    c.line_count = s.lineCount;
    return c;
}

} // namespace glimpse
