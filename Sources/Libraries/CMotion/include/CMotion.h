// SPDX-License-Identifier: Apache-2.0
/// Plain C over OpenCV's background subtraction: what moves before a camera that stands still, with no model to
/// install.
///
/// Source: Z. Zivkovic, F. van der Heijden, "Efficient adaptive density estimation per image pixel for the task of
/// background subtraction", Pattern Recognition Letters 27 (2006), OpenCV's `BackgroundSubtractorMOG2`.
///
/// OpenCV's libraries bring others and take memory of every worker. Only pipelines without an object model need them.
/// So they are linked to a plugin, libGlimpseMotion.so, that is loaded when moving objects are asked for.
///
/// Threading: a `cmot_subtractor` belongs to one thread at a time; it runs on that thread alone.
/// Errors: a status, and a message of at most `capacity - 1` bytes in `error`, terminated; NULL with 0 is allowed.
/// On success `error` is left alone.
/// No C++ exception leaves this library.
#ifndef GLIMPSE_CMOTION_H
#define GLIMPSE_CMOTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CMOT_OK = 0,
    /// The caller's mistake: sizes, stride, a missing pointer, a picture smaller than 2x2.
    CMOT_BAD_ARGUMENT = 1,
    /// This picture could not be processed.
    CMOT_FAILED = 2,
} cmot_status;

/// One luma plane, borrowed until `observe` returns; `stride` is bytes from row to row. A region of interest is a
/// pointer into the frame.
typedef struct {
    const uint8_t *samples;
    int32_t stride;
    int32_t width, height;
} cmot_luma;

/// A connected region that is not background, in pixels of the picture given.
typedef struct {
    float x, y, width, height;
} cmot_region;

typedef struct cmot_subtractor cmot_subtractor;

/// The plugin's functions.
typedef struct {
    /// `analysis_size`: pictures whose longer side is more are reduced to it, 32 or more.
    /// On success `*subtractor` must go to `destroy`; otherwise it is NULL.
    cmot_status (*create)(int32_t analysis_size, cmot_subtractor **subtractor, char *error, size_t capacity);

    /// NULL is allowed.
    void (*destroy)(cmot_subtractor *subtractor);

    /// Compares the picture with the background and lets the background learn from it. A picture of another size, and
    /// one with `learning_rate` 1, begins anew: it is the background.
    ///
    /// `learning_rate`, 0...1: the weight of this picture among all before it. `smallest_side`: regions whose longer
    /// side is less, in pixels of the picture, are left out. Writes at most `region_capacity` regions, the largest
    /// first, their number to `*count`, and to `*moving` the share of the picture, 0...1, that is not background.
    cmot_status (*observe)(
        cmot_subtractor *subtractor, const cmot_luma *luma, double learning_rate, float smallest_side,
        cmot_region *regions, size_t region_capacity, size_t *count, float *moving, char *error, size_t capacity);
} cmot_functions;

/// The share of a pixel's past values that its most frequent values must make up to count as background.
#define CMOT_BACKGROUND_SHARE 0.9

/// Loads the plugin, which stays loaded, and fills in its functions. Safe to call again, from any thread.
/// Returns false with a message when the plugin or a library that it needs is not there.
bool cmot_open(cmot_functions *functions, char *error, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
