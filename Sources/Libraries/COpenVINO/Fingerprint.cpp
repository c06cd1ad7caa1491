// SPDX-License-Identifier: Apache-2.0
#include "Fingerprint.hpp"

namespace covn {

void Fingerprint::add(const void *bytes, size_t count) {
    const auto *const data = static_cast<const unsigned char *>(bytes);
    for (size_t i = 0; i < count; i++) state = (state ^ data[i]) * 0x100000001b3;
}

std::string hexadecimal(uint64_t value) {
    std::string digits(16, '0');
    for (int i = 15; i >= 0; i--, value >>= 4) digits[size_t(i)] = "0123456789abcdef"[value & 15];
    return digits;
}

}  // namespace covn
