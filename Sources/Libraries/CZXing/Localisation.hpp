// SPDX-License-Identifier: Apache-2.0
// Where a picture looks like a code: a few hundred microseconds instead of a decode.
#pragma once

#include "Geometry.hpp"
#include "Luma.hpp"

#include <cstdint>
#include <vector>

namespace glimpse {

/// A connected part of the picture with dense, strong edges.
struct Region {
    Rect rect;       ///< picture pixels, without quiet zone
    float energy;    ///< mean squared gradient, grey levels squared
    float coherence; ///< 0: edges in all directions (matrix) ... 1: in one (linear)
    float angle;     ///< degrees clockwise from the x axis to the direction across the bars, (-90, 90]
    bool coarse;     ///< found on the coarse grid: large modules, or several things that touch
};

/// Sums the structure tensor of the luma over square cells, once a picture, and joins strong cells to regions.
class Localisation {
public:
    /// Measures the picture. O(pixels / 2).
    void measure(const Luma &luma);

    /// Fine and coarse regions, strongest first; equal ones in reading order.
    std::vector<Region> regions() const;

    /// The bars of linear symbols, without the print and the lines that touch them. The edges of each cell have one
    /// direction, which is that of its neighbours. The cells have half the height, for bars that are hardly two cells
    /// high. Strongest first.
    std::vector<Region> bars() const;

    /// Bars of half the contrast too, of whole cells. Strongest first.
    std::vector<Region> paleBars() const;

    /// Takes a symbol that was read out of the map, so that what touches it becomes a region of its own.
    void erase(const Quad &quad);

    /// Side of a cell in pixels.
    int cell() const { return cell_; }

private:
    struct Tensor {
        float xx = 0, yy = 0, xy = 0;
        float energy() const { return xx + yy; }
        float spread() const; ///< between the directions with most and with least energy; equals `energy` for bars
        float angle() const;  ///< degrees, as of `Region`
        void add(const Tensor &o, float share = 1) { xx += share * o.xx, yy += share * o.yy, xy += share * o.xy; }
        Tensor mixed(const Tensor &o, float share) const; ///< with that share of the other
    };
    struct Grid {
        int columns = 0, rows = 0, wide = 8, tall = 8; ///< cells, and pixels of each
        bool isCoarse = false;
        std::vector<Tensor> cells; ///< means of their pixels
    };
    float noise() const;
    void collect(const Grid &grid, float threshold, std::vector<Region> &out) const;
    Grid pooled() const;
    std::vector<Region> bars(const Grid &grid, float threshold) const;
    template <class Like>
    void join(const Grid &grid, std::vector<uint8_t> open, Like isLike, std::vector<Region> &out) const;
    Region region(const Grid &grid, const Rect &cells, const Tensor &sum, int count) const;

    int cell_ = 8, width_ = 0, height_ = 0;
    float noise_ = 0;
    Grid whole_, halves_; ///< halves: the upper and the lower one of each cell
};

/// The direction of the edges of a part of the picture, as of `Region`.
struct Direction {
    float coherence = 0, angle = 0;
};
Direction mainDirection(const Luma &luma, const Rect &rect);

/// The tilt of a square grid in degrees clockwise, [-45, 45]: the mean direction of the edges modulo 90 degrees.
float gridAngle(const Luma &luma, const Rect &rect);

} // namespace glimpse
