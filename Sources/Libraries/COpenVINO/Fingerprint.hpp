// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace covn {

/// FNV-1a of 64 bits (Fowler, Noll, Vo): tells damage from what was written, not malice.
class Fingerprint {
public:
    void add(const void *bytes, size_t count);
    uint64_t value() const { return state; }

private:
    uint64_t state = 0xcbf29ce484222325;
};

/// Sixteen hexadecimal digits.
std::string hexadecimal(uint64_t value);

}  // namespace covn
