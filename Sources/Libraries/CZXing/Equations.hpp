// SPDX-License-Identifier: Apache-2.0
// A few linear equations.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace glimpse {

/// Gaussian elimination with pivots. False where the equations do not say.
template <size_t N> bool solve(std::array<std::array<double, N + 1>, N> e, std::array<double, N> &out) {
    for (size_t i = 0; i < N; ++i) {
        size_t pivot = i;
        for (size_t j = i + 1; j < N; ++j)
            if (std::abs(e[j][i]) > std::abs(e[pivot][i])) pivot = j;
        if (std::abs(e[pivot][i]) < 1e-9) return false;
        std::swap(e[i], e[pivot]);
        for (size_t j = i + 1; j < N; ++j) {
            double factor = e[j][i] / e[i][i];
            for (size_t k = i; k <= N; ++k) e[j][k] -= factor * e[i][k];
        }
    }
    for (size_t i = N; i-- > 0;) {
        out[i] = e[i][N];
        for (size_t k = i + 1; k < N; ++k) out[i] -= e[i][k] * out[k];
        out[i] /= e[i][i];
    }
    return true;
}

} // namespace glimpse
