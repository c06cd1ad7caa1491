// SPDX-License-Identifier: Apache-2.0
/// The exports of libGlimpseCascade.so. CCascade.h describes the functions.
#pragma once

#include <CCascade.h>

#ifdef __cplusplus
extern "C" {
#endif

cocv_status cocv_cascade_load(
    const cocv_cascade_options *options, cocv_cascade **cascade, char *error, size_t capacity);
void cocv_cascade_destroy(cocv_cascade *cascade);
cocv_status cocv_cascade_detect(
    cocv_cascade *cascade, const cocv_luma *luma, float min_width, cocv_object *objects,
    size_t object_capacity, size_t *count, char *error, size_t capacity);

#ifdef __cplusplus
}
#endif
