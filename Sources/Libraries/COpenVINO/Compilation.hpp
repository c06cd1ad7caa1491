// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openvino/runtime/compiled_model.hpp>

#include "Network.hpp"

namespace covn {

/// The network compiled for the options' device and pictures: one stream, latency first, the given threads, no pinning.
/// Throws `Failure` when it cannot be.
ov::CompiledModel compile(const Network &network, const covn_graph_options &options, bool &is_cached);

}  // namespace covn
