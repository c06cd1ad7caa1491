// SPDX-License-Identifier: Apache-2.0
#include "Device.hpp"

#include <algorithm>
#include <sstream>

#include "Runtime.hpp"

namespace covn {
namespace {

/// `GPU` stands for `GPU.0` too.
bool is_device(const std::string &available, const std::string &name) {
    return available == name || available.rfind(name + '.', 0) == 0;
}

std::string joined(const std::vector<std::string> &names) {
    std::string text;
    for (const auto &name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

void require_device(const std::string &name) {
    // Listing the devices loads every plugin.
    if (name == "CPU" || name == "AUTO") return;
    const auto available = runtime().get_available_devices();
    const auto colon = name.find(':');
    std::istringstream wanted(colon == std::string::npos ? name : name.substr(colon + 1));
    for (std::string device; std::getline(wanted, device, ',');) {
        const auto is_wanted = [&device](const std::string &other) { return is_device(other, device); };
        if (std::any_of(available.begin(), available.end(), is_wanted)) return;
    }
    throw Failure(
        COVN_UNUSABLE_MODEL, "this machine has no device \"" + name + "\" for OpenVINO; it has " + joined(available));
}

}  // namespace covn
