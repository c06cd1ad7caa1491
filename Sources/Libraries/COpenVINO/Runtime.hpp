// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <openvino/runtime/core.hpp>

#include "COpenVINO.h"
#include "ErrorReport.hpp"

namespace covn {

/// A message for people and the status that goes with it.
using Failure = glimpse::Failure<covn_status>;

/// The process's only runtime: plugins are loaded once. Never destroyed, because plugin threads outlive `main`.
ov::Core &runtime();

/// OpenVINO's message without its source locations and line breaks.
std::string brief(const std::exception &error);

/// One line on standard error.
void complain(std::string_view message);

}  // namespace covn
