// SPDX-License-Identifier: Apache-2.0
/// The exports of libGlimpseMotion.so. CMotion.h describes the functions.
#pragma once

#include <CMotion.h>

#ifdef __cplusplus
extern "C" {
#endif

cmot_status cmot_create(int32_t analysis_size, cmot_subtractor **subtractor, char *error, size_t capacity);
void cmot_destroy(cmot_subtractor *subtractor);
cmot_status cmot_observe(
    cmot_subtractor *subtractor, const cmot_luma *luma, double learning_rate, float smallest_side,
    cmot_region *regions, size_t region_capacity, size_t *count, float *moving, char *error, size_t capacity);

#ifdef __cplusplus
}
#endif
