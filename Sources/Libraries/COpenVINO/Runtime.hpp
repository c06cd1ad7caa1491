#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <openvino/runtime/core.hpp>

#include "COpenVINO.h"

namespace covn {

/// A message for people and the status that goes with it.
struct Failure : std::runtime_error {
    Failure(covn_status status, const std::string &message) : std::runtime_error(message), status(status) {}
    covn_status status;
};

/// The process's only runtime: plugins are loaded once. Never destroyed, because plugin threads outlive `main`.
ov::Core &runtime();

/// OpenVINO's message without its source locations and line breaks.
std::string brief(const std::exception &error);

/// One line on standard error.
void complain(std::string_view message);

}  // namespace covn
