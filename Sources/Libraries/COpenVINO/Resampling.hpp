// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <openvino/core/node.hpp>

#include "Network.hpp"

namespace covn {

/// The channels of a plane `[1, rows, columns, channels]` of bytes, each resized to `size` as `[rows, columns]` of
/// 32-bit floats. The method is bilinear with half-pixel centres and repeated edges: OpenCV's INTER_LINEAR before it
/// rounds.
///
/// The graph consists of gathers and sums, because they cost a fifth of OpenVINO's own `Interpolate` on the CPU.
/// Measured with 2026.4.1, 1280x720 to 640x384: 0.45 ms against 2.6 ms.
std::vector<ov::Output<ov::Node>> resampled(const ov::Output<ov::Node> &plane, Size size);

}  // namespace covn
