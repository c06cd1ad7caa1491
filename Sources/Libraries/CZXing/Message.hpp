// Error messages into a caller's buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace glimpse {

/// Writes `message`, cut to the capacity and zero-terminated, and returns `status`.
inline int32_t report(int32_t status, const char *message, char *error, size_t capacity) {
    if (error && capacity > 0) std::snprintf(error, capacity, "%s", message);
    return status;
}

} // namespace glimpse
