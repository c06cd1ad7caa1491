// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
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

/// A file and how it is read.
struct NetworkSource {
    std::string path;
    Size size;  ///< to reshape it to; 0: its own
    covn_layout layout = COVN_LAYOUT_NCHW;
    covn_channels channels = COVN_CHANNELS_BGR;
    std::string inner_output;  ///< the tensor that becomes the output; empty: the file's own outputs
    std::string cache_dir;     ///< empty: no cache

    explicit NetworkSource(const covn_network_options &options);
};

/// A model of one picture. It is never changed.
struct Network {
    struct Output {
        std::string name;  ///< empty if it has none
        ov::PartialShape shape;
    };

    NetworkSource source;
    std::string content;  ///< the fingerprint of the file; empty without a cache
    /// One input, `[1, C, H, W]` or `[1, H, W, C]`; outputs are 32-bit floats. Null: the cache describes it.
    std::shared_ptr<const ov::Model> model;
    Size input;
    bool channels_last = false;
    std::vector<Output> outputs;

    explicit Network(NetworkSource source, std::string content = "")
        : source(std::move(source)), content(std::move(content)) {}
};

/// The network, from its description in the cache if there is one. Throws `Failure` when the file is not a model of one
/// picture, or not of the kind that the source says.
std::shared_ptr<const Network> read_network(const NetworkSource &source);

/// The network's model, which is read now if only the cache has described it. To parse an ONNX file takes 30 ms and
/// leaves 5 MiB behind. Throws as `read_network` does, and if the file has changed.
std::shared_ptr<const ov::Model> model_of(const Network &network);

}  // namespace covn
