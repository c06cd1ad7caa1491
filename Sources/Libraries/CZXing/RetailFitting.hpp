// SPDX-License-Identifier: Apache-2.0
// A model of an EAN or UPC symbol's bars, fitted to a line of luma.
#pragma once

#include "RetailLine.hpp"
#include "RetailTemplates.hpp"
#include "RetailValue.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace glimpse {

constexpr float leastContrast = 2; // grey levels between bars and paper

/// A symbol's line in units of its bars: 0 is paper, 1 is ink. `perModule` samples a module, from `retailPaper` before
/// the first bar.
struct RetailFit {
    std::vector<float> line;
    size_t blur = 2;           ///< index of `sigmas`
    Line::Placing place;
    float error = INFINITY;    ///< squared, of all samples
    bool isDark = true;        ///< bars on paper, not paper-coloured bars on a dark ground
};

/// Where the bars begin and end, how the paper bends and how blurred the picture is, as the modules fit best. The error
/// of a place in the line is of the second order, so each is searched by itself, in finer steps each time.
class RetailFitting {
public:
    /// `format`: CZX_EAN_13, CZX_EAN_8, CZX_UPC_A or CZX_UPC_E. `from`, `to`: about where the bars begin and end, as
    /// shares of the line. `lean`: how far the bars' middle is from the middle between them, as a share of the width.
    RetailFitting(const Line &picture, uint32_t format, float from = 0, float to = 1, float lean = 0);

    /// Fits the modules of these codes, starting where the last fit ended. False where there is next to no contrast.
    /// `isPlaced`: they are known to half a module, as after `slide`.
    bool to(const std::vector<uint8_t> &codes, bool isPlaced = false);
    /// Fits no digits in particular: slides the places along the line until the digits that fit best fit as well as
    /// they can. Places that stand side by side slide alike. Returns the squared error of a sample; infinite where
    /// there is no contrast.
    ///
    /// `range`: samples to either side, `stride` apart.
    float slide(size_t blur, int range, int stride = 1);
    /// How well each digit fits in each place, while its neighbours are those of the last fit.
    DigitCosts costs() const;

    /// How dark the five modules beside the last fit's bars are, on the darker side: paper has 0, ink 1.
    float inkBeside() const;
    /// How dark the darkest of the second to the sixth module after the last bar is. Infinite where the line ends
    /// before them.
    float darkestAfter() const;

    uint32_t format() const { return format_; }
    const RetailFit &fit() const { return fit_; }

private:
    /// The first sample of a place's template.
    size_t firstSample(size_t place) const { return size_t(layout_.digits[place] + retailPaper - blurReach) * perModule; }
    bool takeLight(size_t blur);
    DigitCosts costs(int shift) const;
    float guardCost(int firstModule, int modules, int shift) const;
    void search(const std::vector<uint8_t> &codes, bool isPlaced);
    void normalise();
    /// The luma in units of the bars under the light at `x`, from -0.5 to 0.5 along the line.
    float inkOf(float luma, double x) const;
    /// The ink of modules beside the last fit's bars. `first` counts from the first bar.
    std::vector<float> inkOfModules(int first, int modules) const;
    /// Sets `model_` to the codes at the fit's blur; without codes, to what places have on average.
    void setModel(const std::vector<uint8_t> &codes);

    const Line *picture_;
    uint32_t format_;
    RetailLayout layout_;
    float paper_; ///< beyond each end, as a share of the symbol's width
    RetailFit fit_;
    std::vector<float> model_; ///< of the whole line
    std::vector<std::vector<float>> places_; ///< each place's part of it: see `digitTemplate`
    std::vector<float> line_;
    Light light_;
    std::array<double, 6> bentLight_{}; ///< base and contrast along the line, each a polynomial of the second degree
};

} // namespace glimpse
