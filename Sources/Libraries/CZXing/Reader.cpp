// SPDX-License-Identifier: Apache-2.0
// `czx_read`: the search behind the C interface.

#include "Appearance.hpp"
#include "CZXing.h"
#include "ErrorReport.hpp"
#include "Formats.hpp"
#include "LinearExtent.hpp"
#include "RetailFit.hpp"
#include "Search.hpp"
#include "SymbolInterface.hpp"
#include "Transmission.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <tuple>

struct czx_reader {
    glimpse::Search search;
};

namespace {

using glimpse::Symbol;

const char *problem(const czx_luma &luma, const czx_options &options) {
    if (!luma.pixels) return "the picture has no pixels";
    if (luma.width < 1 || luma.height < 1 || luma.width > 32767 || luma.height > 32767)
        return "width and height of a picture must be 1 to 32767";
    if (luma.stride < luma.width) return "the stride of a picture must not be less than its width";
    if (options.formats & ~glimpse::allFormats) return "unknown format bits";
    if (options.effort < CZX_FAST || options.effort > CZX_HARD) return "unknown effort";
    if (options.max_symbols < 0) return "max_symbols must not be negative";
    return nullptr;
}

uint32_t readable(const czx_options &options) {
    return (options.formats ? options.formats : glimpse::allFormats) & glimpse::readableFormats;
}

/// Checks the arguments that all reading functions share, runs `search(formats, limit)` and writes what it found.
template <class Body>
int32_t readInto(czx_reader *reader, const czx_luma *luma, const czx_options *options, czx_symbol *out,
                 int32_t capacity, uint8_t *arena, size_t arena_capacity, char *error, size_t error_capacity,
                 const Body &search) {
    using namespace glimpse;
    if (!reader || !luma || !options || capacity < 0 || (!out && capacity > 0) || (!arena && arena_capacity > 0))
        return report(CZX_INVALID_ARGUMENT, "a pointer is missing", error, error_capacity);
    if (const char *message = problem(*luma, *options))
        return report(CZX_INVALID_ARGUMENT, message, error, error_capacity);
    if (!readable(*options))
        return report(CZX_UNSUPPORTED_FORMAT, "this build of ZXing reads none of these formats", error, error_capacity);
    int32_t limit = options->max_symbols ? std::min(options->max_symbols, capacity) : capacity;
    if (limit == 0) return 0;
    try {
        auto found = search(Luma{luma->pixels, luma->width, luma->height, luma->stride}, readable(*options), limit);
        std::stable_sort(found.begin(), found.end(), [](const Symbol &a, const Symbol &b) {
            Point p = center(a.quad), q = center(b.quad);
            return std::tie(p.y, p.x) < std::tie(q.y, q.x);
        });
        int32_t count = 0;
        size_t used = 0;
        for (Symbol &s : found) {
            makeTransmitted(s);
            if (s.text.size() + s.bytes.size() > arena_capacity - used) continue;
            out[count++] = plain(s, used);
            used = std::copy(s.text.begin(), s.text.end(), arena + used) - arena;
            used = std::copy(s.bytes.begin(), s.bytes.end(), arena + used) - arena;
        }
        return count;
    } catch (const std::exception &e) {
        return report(CZX_DECODER_FAILED, e.what(), error, error_capacity);
    } catch (...) {
        return report(CZX_DECODER_FAILED, "the decoder failed", error, error_capacity);
    }
}

} // namespace

uint32_t czx_readable_formats(void) { return glimpse::readableFormats; }

czx_reader *czx_reader_create(void) { return new (std::nothrow) czx_reader; }

void czx_reader_destroy(czx_reader *reader) { delete reader; }

int32_t czx_read(czx_reader *reader, const czx_luma *luma, const czx_options *options, czx_symbol *out,
                 int32_t capacity, uint8_t *arena, size_t arena_capacity, char *error, size_t error_capacity) {
    return readInto(reader, luma, options, out, capacity, arena, arena_capacity, error, error_capacity,
                    [&](const glimpse::Luma &picture, uint32_t formats, int32_t limit) {
                        return reader->search.read(picture, formats, options->effort, limit);
                    });
}

int32_t czx_read_new(czx_reader *reader, const czx_luma *luma, const czx_options *options, czx_search *search,
                     czx_symbol *out, int32_t capacity, uint8_t *arena, size_t arena_capacity, char *error,
                     size_t error_capacity) {
    using namespace glimpse;
    if (!search || search->known_count < 0 || search->hopeless_count < 0 || search->changed_count < 0
        || search->changed_count > search->hopeless_count || search->unread_capacity < 0
        || (!search->known && search->known_count > 0) || (!search->hopeless && search->hopeless_count > 0)
        || (!search->unread && search->unread_capacity > 0))
        return report(CZX_INVALID_ARGUMENT, "a part of the search is missing", error, error_capacity);
    auto isPossible = [](float c) { return std::abs(c) < 1e5f; };
    if (std::isnan(search->budget) || !std::all_of(search->known, search->known + 8L * search->known_count, isPossible))
        return report(CZX_INVALID_ARGUMENT, "an impossible number in the search", error, error_capacity);
    search->unread_count = search->bars_count = 0;
    return readInto(reader, luma, options, out, capacity, arena, arena_capacity, error, error_capacity,
                    [&](const Luma &picture, uint32_t formats, int32_t limit) {
                        Search::Progress progress;
                        progress.budget = search->budget;
                        for (int32_t i = 0; i < search->known_count; ++i) progress.known.push_back(quad(search->known + 8 * i));
                        for (int32_t i = 0; i < search->hopeless_count; ++i) {
                            bool isChanged = i >= search->hopeless_count - search->changed_count;
                            (isChanged ? progress.changed : progress.hopeless).push_back(nearby(search->hopeless[i]));
                        }
                        auto found = reader->search.readNew(picture, formats, limit, progress);
                        search->budget = progress.budget;
                        for (const Region &r : progress.unread) {
                            if (search->unread_count >= search->unread_capacity) break;
                            search->unread[search->unread_count++] = {r.rect.left, r.rect.top, r.rect.right, r.rect.bottom};
                        }
                        for (const Region &r : progress.bars) {
                            if (search->unread_count >= search->unread_capacity) break;
                            search->unread[search->unread_count++] = {r.rect.left, r.rect.top, r.rect.right, r.rect.bottom};
                            ++search->bars_count;
                        }
                        return found;
                    });
}

int32_t czx_read_place(czx_reader *reader, const czx_luma *luma, const czx_options *options, const czx_rect *place,
                       float angle, int32_t way, czx_symbol *out, int32_t capacity, uint8_t *arena,
                       size_t arena_capacity, char *error, size_t error_capacity) {
    using namespace glimpse;
    if (!place || way < 0 || way >= CZX_WAYS || !std::isfinite(angle))
        return report(CZX_INVALID_ARGUMENT, "an impossible place", error, error_capacity);
    return readInto(reader, luma, options, out, capacity, arena, arena_capacity, error, error_capacity,
                    [&](const Luma &picture, uint32_t formats, int32_t limit) {
                        return reader->search.readPlace(picture, formats, limit, nearby(*place), angle, way);
                    });
}

float czx_retail_margin(const czx_luma *luma, uint32_t format, const uint8_t *digits, size_t count, const float corners[8]) {
    auto isPossible = [](float c) { return std::abs(c) < 1e5f; };
    if (!luma || !digits || !corners || problem(*luma, czx_options{}) || !std::all_of(corners, corners + 8, isPossible)) return 0;
    try {
        return glimpse::retailMargin({luma->pixels, luma->width, luma->height, luma->stride}, glimpse::quad(corners), format,
                                     {reinterpret_cast<const char *>(digits), count});
    } catch (const std::bad_alloc &) {
        return 0;
    }
}

int32_t czx_looks_like_code(const czx_luma *luma, const czx_rect *place) {
    if (!luma || !place || problem(*luma, czx_options{})) return CZX_INVALID_ARGUMENT;
    return glimpse::looksLikeCode({luma->pixels, luma->width, luma->height, luma->stride}, glimpse::nearby(*place));
}
