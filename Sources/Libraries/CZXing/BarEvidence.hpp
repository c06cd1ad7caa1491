// SPDX-License-Identifier: Apache-2.0
// The evidence of many pictures of one linear symbol.
#pragma once

#include "BarStrip.hpp"
#include "Decoder.hpp"
#include "RetailRead.hpp"

#include <optional>
#include <vector>

namespace glimpse {

/// The mean of the lines across a symbol's bars, each moved onto those before it.
///
/// Where noise is alike in all pictures, a template's squared errors sum, but for a constant, to its squared error in
/// the pictures' mean. So the mean has the likelihoods of all digits in all pictures, and more pictures take no more
/// memory. Places between pixels differ from picture to picture, so the mean also shows the luma between pixels.
class BarEvidence {
public:
    /// Begins anew with what stands at `region`. Whether there are bars; `quad()` is where.
    bool begin(const Luma &luma, const Rect &region, float angle);
    /// Adds another picture of the strip. Begins anew with it where something else stands there now. `quad`: as
    /// `quad()`, moved as the picture has moved.
    void add(const Luma &luma, const Quad &quad);
    /// The value of an EAN or UPC symbol that the pictures so far show, with its margin.
    RetailRead readRetail(uint32_t formats) const;
    /// The symbol of another symbology that the pictures so far show, in pixels of the last one.
    std::optional<Symbol> readSharpened(uint32_t formats) const;

    /// A strip across the bars with paper on both sides, in pixels of the last picture.
    const Quad &quad() const { return quad_; }
    /// Where a read's bars stand in it.
    Quad bars(const RetailRead &read) const;
    /// Pictures that the mean is of.
    int pictures() const { return pictures_; }

private:
    void restart(std::vector<float> line);
    /// Samples of the line in a pixel of the last picture.
    float pixel() const;
    /// The part of the strip between two shares of the line. It is upside down if the first one is greater.
    Quad part(float from, float to) const;

    Quad quad_{};
    float expected_ = 1; ///< width of the bars as the strip was found, as a share of the strip's
    std::vector<float> mean_;
    float weight_ = 0;
    int pictures_ = 0;
};

} // namespace glimpse
