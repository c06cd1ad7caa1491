// SPDX-License-Identifier: Apache-2.0
// One decoder call on one patch of luma. This is the only place that calls ZXing's reader.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace glimpse {

/// A decoded symbol; the quadrilateral is in pixels of the patch it was read from.
struct Symbol {
    uint32_t format = 0;
    Quad quad{};
    std::string text;
    std::vector<uint8_t> bytes;
    std::string addOn; ///< the digits of an EAN or UPC symbol's add-on; empty: none was read
    std::string symbologyIdentifier, errorCorrection;
    bool isText = true, hasECI = false, isBinaryECI = false, isGS1 = false, mirrored = false, inverted = false, readerInit = false;
    int sequenceSize = -1, sequenceIndex = -1;
    int lineCount = 0;
};

/// Scan lines that must agree on a symbol without a check character. Parts of other codes, text and textures look like
/// one now and then, but not on many lines.
constexpr int uncheckedLines = 4;

enum class Threshold { local, global };

struct Attempt {
    uint32_t formats = 0; ///< linear formats only or matrix formats only
    bool harder = true;   ///< every row, not fifteen around the middle
    bool rotated = true;  ///< linear: columns too
    Threshold threshold = Threshold::local;
    bool alone = false; ///< matrix: the patch shows one upright symbol and nothing else; see `aloneFormats`
};

/// The decoder's own search of a whole picture: every size, direction and polarity, any number of symbols. Nothing
/// before 3.x, which does not survive it.
std::vector<Symbol> readOwnWay(const Luma &picture, uint32_t formats);

/// Whether the decoder finds matrix symbols anywhere in a patch: 1.4 finds some in the middle only.
extern const bool findsAnywhere;

/// Matrix formats that are read from patches with one upright symbol and nothing else only: `Attempt::alone`.
extern const uint32_t aloneFormats;

/// Reads the first linear symbol of the patch that enough scan lines agree on. At most one.
std::vector<Symbol> readLinear(const Luma &patch, const Attempt &attempt);

/// The digits of the add-on of an EAN or UPC symbol, if the patch, which shows the symbol lying level, has one; else
/// empty. Many lines of such a symbol are read without it, and 1.4 reads none when it is required: so band after band.
std::string readAddOn(const Luma &patch, const Symbol &symbol);

/// The linear symbol of `line`, the luma from paper to paper. Not for DataBar.
std::optional<Symbol> readLine(const std::vector<uint8_t> &line, uint32_t formats);

/// Whether `line` gives the value of a linear symbol.
bool isValueOf(const std::vector<uint8_t> &line, const Symbol &symbol);

/// Reads matrix symbols of the patch; the decoder finds several of the QR and PDF417 kinds, else one.
std::vector<Symbol> readMatrix(const Luma &patch, const Attempt &attempt);

} // namespace glimpse
