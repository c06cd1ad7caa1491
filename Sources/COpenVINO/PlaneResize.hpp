#pragma once

#include <cstdint>
#include <vector>

#include "PixelGraph.hpp"

namespace covn {

/// Bilinear with half-pixel centres (OpenCV's INTER_LINEAR, ONNX Resize's "linear"), of interleaved bytes.
///
/// OpenVINO's own Interpolate takes 14 ns for each pixel that it writes (2026.4.1, CPU plugin, one channel, whichever
/// layout or element type), 1.3 ms for the planes of a picture of 320x192: more than half of YuNet. This takes a tenth
/// and gives the same bytes.
class PlaneResize {
public:
    PlaneResize(Size from, Size to, int channels);

    /// `stride`: bytes from row to row of `from`; rows of `to` follow each other.
    void run(const uint8_t *from, size_t stride, uint8_t *to);

private:
    struct Tap {
        int first = 0, second = 0;  // samples
        float share = 0;            // of the second
    };
    static std::vector<Tap> taps(int from, int to, int step);

    size_t width_;
    std::vector<Tap> rows_, columns_;
    std::vector<float> line_;
};

}  // namespace covn
