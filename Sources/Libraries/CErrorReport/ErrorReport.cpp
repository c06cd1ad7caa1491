// SPDX-License-Identifier: Apache-2.0
#include "ErrorReport.hpp"

#include <algorithm>
#include <cstring>

void glimpse::report(std::string_view message, char *error, size_t capacity) {
    if (!error || capacity == 0) return;
    const size_t length = std::min(message.size(), capacity - 1);
    std::memcpy(error, message.data(), length);
    error[length] = '\0';
}
