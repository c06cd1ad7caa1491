// SPDX-License-Identifier: Apache-2.0
#include "Runtime.hpp"

#include <cstdio>
#include <functional>
#include <sstream>

#include <openvino/core/log.hpp>

namespace covn {

void complain(std::string_view message) {
    std::fprintf(stderr, "openvino: %.*s\n", int(message.size()), message.data());
}

ov::Core &runtime() {
    static ov::Core *const core = [] {
        // OpenVINO logs to standard output, which carries events here.
        static const std::function<void(std::string_view)> log = complain;
        ov::util::set_log_callback(log);
        return new ov::Core();
    }();
    return *core;
}

std::string brief(const std::exception &error) {
    std::istringstream lines(error.what());
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos) continue;
        if (line.compare(first, 15, "Exception from ") == 0) continue;
        if (line.compare(first, 7, "Check '") == 0 && line.find("' failed at ") != std::string::npos) continue;
        if (!result.empty()) result += ' ';
        result.append(line, first, std::string::npos);
    }
    return result.empty() ? "unknown failure in OpenVINO" : result;
}

}  // namespace covn
