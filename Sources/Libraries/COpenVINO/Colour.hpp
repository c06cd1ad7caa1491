// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openvino/core/node.hpp>

#include "COpenVINO.h"

namespace covn {

/// Red, green and blue, each 0...255, of samples given as 32-bit floats of one shape.
struct Colours {
    ov::Output<ov::Node> blue, green, red;
};

/// ITU-R BT.601-7, BT.709-6 and BT.2020-2: Y' of 16...235 and chroma of 16...240, or all of them 0...255.
Colours colours(
    const ov::Output<ov::Node> &y, const ov::Output<ov::Node> &u, const ov::Output<ov::Node> &v, covn_matrix matrix,
    bool full_range);

/// Y' alone as 0...255.
ov::Output<ov::Node> brightness(const ov::Output<ov::Node> &y, bool full_range);

/// Y' of colours, by BT.601's weights (what OpenCV and Pillow call grey).
ov::Output<ov::Node> brightness(const Colours &colours);

}  // namespace covn
