// SPDX-License-Identifier: Apache-2.0
#include "Decoder.hpp"

#include "Formats.hpp"

#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string_view>

// How calls from here keep clear of the decoder's aborts.
//
// Debian builds ZXing-C++ 1.4.0 with assertions, and `Result::operator==` asserts `lineCount() == 1` when it compares
// two *linear* results of equal format and content. It has two callers. (The 2.x series has the same comparison; 3.x
// compares any line counts, and set-up builds it without assertions.)
//
// 1. `ReadBarcodes` compares each new result with those of earlier layers, of the other scan direction and of this very
//    pass. With `maxNumberOfSymbols(1)` the linear reader returns at most one result, and the loop ends with it. The
//    reader leaves at the first result with enough lines, and reads columns only if rows gave none. So the list of
//    results for the comparison is empty. `tryDownscale(false)` leaves one layer anyway.
// 2. The row loop compares a result just read from one row (line count 1) with the results of earlier rows. Only
//    the DataBar readers give fresh results other line counts. So DataBar is read on its own with `minLineCount(1)`
//    and `maxNumberOfSymbols(1)`: the first result ends the loop, nothing is ever compared. All others may ask for
//    several agreeing lines.
//
// Matrix results return before that assertion, so several per call are sound; they are never mixed with linear ones.
//
// Micro QR has an abort of its own in 1.4: `FindConcentricPatternCorners`, which only `SampleMQR` calls, intersects
// lines through too few points. In 99300 mutated pictures it aborted 23 times; QR, Data Matrix, Aztec, PDF417 and
// MaxiCode did not in 452600. `isPure` takes another way to the symbol (no abort in 80200), but needs it upright and
// alone: `Attempt::alone`.
//
// The comparison and Micro QR are excluded by how the decoder works. Its other assertions (Data Matrix intersects four
// fitted lines, too) were never seen to fail. That is a measurement and not a proof: a worker may still die.

namespace glimpse {
namespace {

#if __has_include(<ZXing/ReaderOptions.h>) // 2.2 and later
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif

/// Scan lines that must agree on other symbols.
constexpr int checkedLines = 2, addOnLines = 3;

#if ZXING_VERSION_MAJOR >= 3
constexpr uint32_t singleFormats = 0;
#else
/// Formats that must not be searched for together with others.
constexpr uint32_t singleFormats = dataBarFormats;
#endif

Options options(const Attempt &attempt, uint32_t formats) {
    Options o;
    o.setFormats(toZXingSet(formats));
    o.setTryHarder(attempt.harder);
    o.setTryRotate(attempt.rotated);
    o.setTryDownscale(false);
#if __has_include(<ZXing/ReaderOptions.h>)
    o.setTryInvert(false);
    o.setTextMode(ZXing::TextMode::Plain);
#endif
    o.setBinarizer(attempt.threshold == Threshold::local ? ZXing::Binarizer::LocalAverage
                                                         : ZXing::Binarizer::GlobalHistogram);
    return o;
}

/// ECI 899 declares bytes that are no text. In the ECI protocol a backslash and six digits stand for an ECI.
template <class Bytes> bool holdsECI899(const Bytes &protocol) {
    constexpr std::string_view mark = "\\000899";
    return std::search(protocol.begin(), protocol.end(), mark.begin(), mark.end()) != protocol.end();
}

template <class Result> Symbol symbol(const Result &r) {
    Symbol s;
    s.format = fromZXing(r.format());
    const auto &position = r.position();
    for (int i = 0; i < 4; ++i) s.quad[size_t(i)] = {float(position[i].x), float(position[i].y)};
    s.text = r.text();
    s.bytes.assign(r.bytes().begin(), r.bytes().end());
    s.symbologyIdentifier = r.symbologyIdentifier();
    s.errorCorrection = r.ecLevel();
    s.isText = r.contentType() != ZXing::ContentType::Binary && r.contentType() != ZXing::ContentType::UnknownECI;
    s.hasECI = r.hasECI();
    s.isBinaryECI = s.hasECI && holdsECI899(r.bytesECI());
    s.isGS1 = r.contentType() == ZXing::ContentType::GS1;
    s.mirrored = r.isMirrored();
    s.readerInit = r.readerInit();
    s.sequenceSize = r.sequenceSize();
    s.sequenceIndex = r.sequenceIndex();
    s.lineCount = r.lineCount();
#if __has_include(<ZXing/ReaderOptions.h>)
    s.inverted = r.isInverted();
#endif
    return s;
}

/// `formats` are those of the options.
std::vector<Symbol> read(const Luma &patch, const Options &o, uint32_t formats) {
    std::vector<Symbol> out;
    ZXing::ImageView view(patch.pixels, patch.width, patch.height, ZXing::ImageFormat::Lum, int(patch.stride));
    try {
        for (const auto &r : ZXing::ReadBarcodes(view, o)) {
            if (!r.isValid() || fromZXing(r.format()) == 0 || r.bytes().empty()) continue;
            out.push_back(symbol(r));
            // UPC-A is EAN-13 with a leading zero; 3.x calls it that when it is asked for both.
            Symbol &s = out.back();
            if (s.format == CZX_EAN_13 && (formats & CZX_UPC_A) && s.text[0] == '0') s.format = CZX_UPC_A;
        }
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &) {
        // Range checks inside the decoder meet damaged symbols now and then: nothing can be read here.
    }
    return out;
}

/// The first linear symbol on which `lines` scan lines agree; at most one, see above.
std::vector<Symbol> readFirst(const Luma &patch, const Attempt &attempt, uint32_t formats, int lines,
                              ZXing::EanAddOnSymbol addOn = ZXing::EanAddOnSymbol::Ignore) {
    formats &= attempt.formats;
    if (!formats) return {};
    auto o = options(attempt, formats);
    o.setMaxNumberOfSymbols(1);
    o.setMinLineCount(uint8_t(lines));
    o.setEanAddOnSymbol(addOn);
    auto found = read(patch, o, formats);
    if (found.size() > 1) found.resize(1);
    return found;
}

/// DataBar comes from one scan line (stacked: one a row); another one has to give the same.
bool isConfirmed(const Luma &patch, const Attempt &attempt, const Symbol &symbol) {
    Rect rows = patch.rect(), columns = patch.rect();
    float top = std::min(symbol.quad[0].y, symbol.quad[2].y), bottom = std::max(symbol.quad[0].y, symbol.quad[2].y);
    float left = std::min(symbol.quad[0].x, symbol.quad[2].x), right = std::max(symbol.quad[0].x, symbol.quad[2].x);
    if (bottom - top < 1) { // one row: without it
        if (top > float(patch.height) / 2) rows.bottom = int(top);
        else rows.top = int(top) + 1;
    } else { // other rows come first when the middle is elsewhere
        rows.top = std::min(3, patch.height - 1);
    }
    if (right - left < 1) {
        if (left > float(patch.width) / 2) columns.right = int(left);
        else columns.left = int(left) + 1;
        rows = columns;
    }
    if (rows.empty()) return false;
    auto again = readFirst(patch.cropped(rows), attempt, symbol.format, 1);
    return !again.empty() && again[0].bytes == symbol.bytes;
}

/// The rectangle of what is darker than the middle between the darkest and the lightest sample.
Quad inkBounds(const Luma &patch) {
    uint8_t darkest = 255, lightest = 0;
    for (int y = 0; y < patch.height; ++y) {
        auto [low, high] = std::minmax_element(patch.row(y), patch.row(y) + patch.width);
        darkest = std::min(darkest, *low), lightest = std::max(lightest, *high);
    }
    Rect ink{patch.width, patch.height, 0, 0};
    for (int y = 0; y < patch.height; ++y)
        for (int x = 0; x < patch.width; ++x)
            if (patch.at(x, y) * 2 < darkest + lightest)
                ink = {std::min(ink.left, x), std::min(ink.top, y), std::max(ink.right, x), std::max(ink.bottom, y)};
    return corners(ink);
}

} // namespace

#if ZXING_VERSION_MAJOR >= 3
const bool findsAnywhere = true;
const uint32_t aloneFormats = 0;

std::vector<Symbol> readOwnWay(const Luma &picture, uint32_t formats) {
    auto o = options({formats, true, true}, formats);
    o.setTryDownscale(true);
    o.setTryInvert(true);
    auto found = read(picture, o, formats);
    found.erase(std::remove_if(found.begin(), found.end(), [&](const Symbol &s) {
        int lines = s.format == CZX_CODABAR ? checkedLines : uncheckedLines;
        return (s.format & uncheckedFormats) && s.lineCount < std::min(lines, picture.height);
    }), found.end());
    // The value that most lines agree on comes first.
    std::stable_sort(found.begin(), found.end(), [](const Symbol &a, const Symbol &b) { return a.lineCount > b.lineCount; });
    return found;
}
#else
const bool findsAnywhere = false;
const uint32_t aloneFormats = CZX_MICRO_QR_CODE;

std::vector<Symbol> readOwnWay(const Luma &, uint32_t) { return {}; }
#endif

std::vector<Symbol> readLinear(const Luma &patch, const Attempt &attempt) {
    if (auto found = readFirst(patch, attempt, linearFormats & ~uncheckedFormats & ~singleFormats, checkedLines);
        !found.empty())
        return found;
    if (auto found = readFirst(patch, attempt, singleFormats, 1); !found.empty() && isConfirmed(patch, attempt, found[0]))
        return found;
    return readFirst(patch, attempt, uncheckedFormats, uncheckedLines);
}

std::optional<Symbol> readLine(const std::vector<uint8_t> &line, uint32_t formats) {
    Luma patch{line.data(), int(line.size()), 1, int(line.size())};
    auto found = readFirst(patch, {formats, true, false}, formats, 1);
    if (found.empty()) return std::nullopt;
    return found[0];
}

bool isValueOf(const std::vector<uint8_t> &line, const Symbol &symbol) {
    auto found = readLine(line, symbol.format);
    return found && found->bytes == symbol.bytes;
}

std::string readAddOn(const Luma &patch, const Symbol &symbol) {
    constexpr int bands = 8, fewestRows = 6;
    int rows = std::max(fewestRows, patch.height / bands);
    for (int top = 0; top + rows <= patch.height; top += rows) {
        auto both = readFirst(patch.cropped({0, top, patch.width, top + rows}), {symbol.format, true, false},
                              symbol.format, addOnLines, ZXing::EanAddOnSymbol::Read);
        if (both.empty() || both[0].text.size() <= symbol.text.size()
            || both[0].text.compare(0, symbol.text.size(), symbol.text) != 0)
            continue;
        std::string addOn = both[0].text.substr(symbol.text.size());
        return addOn[0] == ' ' ? addOn.substr(1) : addOn; // 3.x writes no space
    }
    return {};
}

std::vector<Symbol> readMatrix(const Luma &patch, const Attempt &attempt) {
    uint32_t formats = attempt.formats & matrixFormats & (attempt.alone ? aloneFormats : ~aloneFormats);
    if (!formats) return {};
    auto o = options(attempt, formats);
    o.setIsPure(attempt.alone);
    auto found = read(patch, o, formats);
    for (Symbol &s : found) {
        s.lineCount = 0;
        // MaxiCode has no position in 1.4: it is whatever is dark.
        if (area(s.quad) < 1) s.quad = inkBounds(patch);
    }
    return found;
}

} // namespace glimpse
