// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <openvino/core/model.hpp>

#include "COpenVINO.h"

namespace covn {

/// Whole pixels, width and height.
struct Size {
    int width = 0;
    int height = 0;
    bool operator==(const Size &other) const { return width == other.width && height == other.height; }
};

/// A model of one picture, as read: never changed, cloned for each graph.
struct Network {
    std::string path;
    std::shared_ptr<const ov::Model> model;  ///< one input, `[1, C, H, W]` or `[1, H, W, C]`; outputs are 32-bit floats
    Size input;
    bool channels_last = false;
    covn_channels channels = COVN_CHANNELS_BGR;
    std::vector<std::string> output_names;
    std::string inner_output;  ///< the tensor that was made the output; empty: the file's own
};

/// Throws `Failure` when the file is not a model of one picture, or not of the kind that the options say.
std::shared_ptr<const Network> read_network(const covn_network_options &options);

}  // namespace covn
