#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include <openvino/runtime/core.hpp>

#include "PixelGraph.hpp"

namespace covn {

/// A message for people and the status that goes with it.
struct Failure : std::runtime_error {
    Failure(covn_status status, const std::string &message) : std::runtime_error(message), status(status) {}
    covn_status status;
};

/// The process's only runtime: plugins are loaded once. Never destroyed, because plugin threads outlive `main`.
ov::Core &runtime();

/// Reads the file and reshapes it so that its one input is `[1, height, width, channels]` bytes in the options' channel
/// order, with mean, scale and layout inside, and its outputs are 32-bit floats. Sets `input` to its size.
/// Throws `Failure` when the file is not a model of one picture.
std::shared_ptr<ov::Model> read_network(const covn_model_options &options, Size &input);

/// Compiles for the options' device: one stream, latency first, the given threads, no pinning. A cache folder that
/// cannot be used costs the time of compiling and a line on standard error.
ov::CompiledModel compile(const std::shared_ptr<const ov::Model> &model, const covn_model_options &options);

/// OpenVINO's message without its source locations and line breaks.
std::string brief(const std::exception &error);

}  // namespace covn
