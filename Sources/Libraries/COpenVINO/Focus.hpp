// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openvino/core/model.hpp>

namespace covn {

/// Replaces the Focus stem of YOLOX and YOLOv5, which joins every other row and column of a picture as channels, by one
/// transposition. The values stay the same. OpenVINO's strided slices keep a table with the place of each value, which
/// is 8 MiB for 416x416, and copy the values one by one.
///
/// Nothing changes where a network has no such stem. All shapes must be known.
void transpose_focus(ov::Model &model);

}  // namespace covn
