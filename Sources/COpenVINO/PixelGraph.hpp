#pragma once

#include <memory>

#include <openvino/core/model.hpp>

#include "COpenVINO.h"

namespace covn {

/// Whole pixels, width and height.
struct Size {
    int width = 0;
    int height = 0;
    bool operator==(const Size &other) const { return width == other.width && height == other.height; }
};

/// The part of the network's input that a picture of size `frame` fills, at the top left.
/// Even for 4:2:0 formats, so that chroma covers it by twos. At least 2x2, at most `input`.
Size filled_part(const covn_model_options &options, Size frame, Size input);

/// Puts colour conversion and the letterbox's margin before a network that takes `[1, height, width, 3]` or
/// `[1, height, width, 1]` bytes: the result's inputs are the planes of a picture of size `part`, in `covn_image` order,
/// as bytes of shape `[1, rows, columns, channels]`.
std::shared_ptr<ov::Model> with_pixel_inputs(
    const std::shared_ptr<const ov::Model> &network, const covn_model_options &options, Size part, Size input);

}  // namespace covn
