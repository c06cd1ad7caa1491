// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace covn {

/// Throws a `Failure` when the machine lacks a device that OpenVINO is to compile for. In a list (`AUTO:GPU,CPU`) one
/// is enough.
void require_device(const std::string &name);

}  // namespace covn
