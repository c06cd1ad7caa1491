// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <openvino/core/model.hpp>

#include "Network.hpp"

namespace covn {

/// Where a picture of the options' size is in the network's input.
struct Placement {
    Size part;  ///< at least 1x1, at most the input
    int left = 0, top = 0;
};

Placement placement(const covn_graph_options &options, Size input);

/// The network with resize, letterbox, colour conversion, mean and scale before it. Its inputs are the picture's
/// planes, in `covn_image` order, as bytes of shape `[1, rows, columns, channels]`.
///
/// Planes are resized before they become colours: only the network's pixels are converted instead of the camera's.
std::shared_ptr<ov::Model> with_pixel_inputs(const Network &network, const covn_graph_options &options);

}  // namespace covn
