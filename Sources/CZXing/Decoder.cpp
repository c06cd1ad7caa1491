#include "Decoder.hpp"

#include "Formats.hpp"

#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

#include <algorithm>

// Why no call from here can abort the process.
//
// Debian builds ZXing-C++ 1.4.0 with assertions, and `Result::operator==` asserts `lineCount() == 1` when it compares
// two *linear* results of equal format and content. It has two callers. (The 2.x series has the same comparison.)
//
// 1. `ReadBarcodes` compares each new result with those of earlier layers, of the other scan direction and of this
//    very pass. With `maxNumberOfSymbols(1)` the linear reader returns at most one result (it leaves at the first
//    result with enough lines, and reads columns only when rows gave none) and the loop ends with it: the list it
//    would be compared with is empty. `tryDownscale(false)` leaves one layer anyway.
// 2. The row loop compares a result just read from one row (line count 1) with the results of earlier rows. Only
//    the DataBar readers give fresh results other line counts. So DataBar is read on its own with `minLineCount(1)`
//    and `maxNumberOfSymbols(1)`: the first result ends the loop, nothing is ever compared. All others may ask for
//    several agreeing lines.
//
// Matrix results return before that assertion, so several per call are sound; they are never mixed with linear ones.

namespace glimpse {
namespace {

#if __has_include(<ZXing/ReaderOptions.h>) // 2.2 and later
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif

/// Scan lines that must agree. Symbologies without a check character need more: parts of other codes, text and
/// textures look like them now and then, but not on many lines.
constexpr int checkedLines = 2, uncheckedLines = 4, dataBarLines = 3;

Options options(const Attempt &attempt, uint32_t formats) {
    Options o;
    o.setFormats(toZXingSet(formats));
    o.setTryHarder(attempt.harder);
    o.setTryRotate(attempt.rotated);
    o.setTryDownscale(false);
    o.setBinarizer(attempt.threshold == Threshold::local ? ZXing::Binarizer::LocalAverage
                                                         : ZXing::Binarizer::GlobalHistogram);
    o.setEanAddOnSymbol(ZXing::EanAddOnSymbol::Read);
    return o;
}

Symbol symbol(const ZXing::Result &r) {
    Symbol s;
    s.format = fromZXing(r.format());
    const auto &position = r.position();
    for (int i = 0; i < 4; ++i) s.quad[size_t(i)] = {float(position[i].x), float(position[i].y)};
    s.text = r.text();
    s.bytes.assign(r.bytes().begin(), r.bytes().end());
    s.symbologyIdentifier = r.symbologyIdentifier();
    s.errorCorrection = r.ecLevel();
    s.isText = r.contentType() != ZXing::ContentType::Binary && r.contentType() != ZXing::ContentType::UnknownECI;
    s.isGS1 = r.contentType() == ZXing::ContentType::GS1;
    s.mirrored = r.isMirrored();
    s.readerInit = r.readerInit();
    s.sequenceSize = r.sequenceSize();
    s.sequenceIndex = r.sequenceIndex();
    s.lineCount = r.lineCount();
    return s;
}

std::vector<Symbol> read(const Luma &patch, const Options &o) {
    std::vector<Symbol> out;
    ZXing::ImageView view(patch.pixels, patch.width, patch.height, ZXing::ImageFormat::Lum, int(patch.stride));
    for (const auto &r : ZXing::ReadBarcodes(view, o))
        if (r.isValid() && fromZXing(r.format()) != 0 && !r.bytes().empty()) out.push_back(symbol(r));
    return out;
}

} // namespace

std::vector<Symbol> readLinear(const Luma &patch, const Attempt &attempt) {
    struct Group {
        uint32_t formats;
        int lines;
    };
    for (Group group : {Group{linearFormats & ~uncheckedFormats & ~dataBarFormats, checkedLines},
                        Group{dataBarFormats, 1}, Group{uncheckedFormats, uncheckedLines}}) {
        uint32_t formats = attempt.formats & group.formats;
        if (!formats) continue;
        auto o = options(attempt, formats);
        o.setMaxNumberOfSymbols(1);
        o.setMinLineCount(uint8_t(group.lines));
        auto found = read(patch, o);
        if (found.empty()) continue;
        found.resize(1);
        if ((found[0].format & dataBarFormats) && found[0].lineCount < dataBarLines) continue;
        return found;
    }
    return {};
}

std::vector<Symbol> readMatrix(const Luma &patch, const Attempt &attempt) {
    auto o = options(attempt, attempt.formats & matrixFormats);
    auto found = read(patch, o);
    for (Symbol &s : found) s.lineCount = 0;
    return found;
}

} // namespace glimpse
