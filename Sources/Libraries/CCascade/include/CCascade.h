// SPDX-License-Identifier: Apache-2.0
/// Plain C over OpenCV's cascade classifier: faces, eyes or smiles in a luma plane, with no model to install.
///
/// OpenCV's libraries bring 25 others and take 8 MB of every worker. Only machines without a face model need them. So
/// they are linked to a plugin, libGlimpseCascade.so, that is loaded when a cascade is asked for.
///
/// Threading: a `cocv_cascade` belongs to one thread at a time; it runs on that thread alone.
/// Errors: a status, and a message of at most `capacity - 1` bytes in `error`, terminated; NULL with 0 is allowed.
/// On success `error` is left alone.
/// No C++ exception leaves this library.
#ifndef GLIMPSE_CCASCADE_H
#define GLIMPSE_CCASCADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    COCV_OK = 0,
    /// The caller's mistake: sizes, stride, a missing pointer, a picture smaller than 2x2.
    COCV_BAD_ARGUMENT = 1,
    /// The cascade file is missing or is not one.
    COCV_UNUSABLE_CASCADE = 2,
    /// This picture could not be processed; the cascade remains usable.
    COCV_DETECTION_FAILED = 3,
} cocv_status;

typedef struct {
    /// Haar or LBP cascade in OpenCV's XML. Best of Debian's six frontal ones by recall and false faces on the test
    /// videos: /usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml
    const char *path;
    /// Wider pictures are reduced to this width, 32 or more, before the search. Debian's alt2 cascade then finds faces
    /// of 20 pixels and more. At 480 it sees most of the test videos' faces; at 400 it sees nearly as many for less
    /// time.
    int32_t detection_width;
    /// Ratio of one searched size to the next, above 1 up to 2. A ratio of 1.1 finds up to 11 % more faces than 1.2, in
    /// about 1.5 times the time.
    double scale_factor;
} cocv_cascade_options;

/// One luma plane, borrowed until `cocv_cascade_detect` returns; `stride` is bytes from row to row.
/// A region of interest is a pointer into the frame.
typedef struct {
    const uint8_t *samples;
    int32_t stride;
    int32_t width, height;
} cocv_luma;

/// A box about what the cascade was made for, in pixels of the picture given, and how sure the cascade is, 0...1.
///
/// confidence = n / (n + 1.25). The number `windows`, n >= 3, counts overlapping windows in which the cascade saw the
/// object, summed over positions and sizes (OpenCV's `numDetections`). The confidence orders detections; it is no
/// probability.
///
/// For faces the constant lets the least of them, n = 3, pass the threshold of 0.7 that is right for a network. In
/// 1,189 frames of bottles such faces gave 0 to 2 false ones. Plain frontal faces have n = 12 and more (0.9), turned or
/// half hidden ones 3 to 8 (0.7 to 0.86).
typedef struct {
    float x, y, width, height;
    float confidence;
    int32_t windows;
} cocv_object;

typedef struct cocv_cascade cocv_cascade;

/// The plugin's functions.
typedef struct {
    /// On success `*cascade` must go to `destroy`; otherwise it is NULL.
    cocv_status (*load)(const cocv_cascade_options *options, cocv_cascade **cascade, char *error, size_t capacity);

    /// NULL is allowed.
    void (*destroy)(cocv_cascade *cascade);

    /// Searches for objects at least `min_width` pixels of the picture wide (0: as small as the cascade can).
    /// Writes at most `object_capacity` of them, surest first, and their number to `*count`.
    /// A picture in which no window of the cascade fits gives none.
    cocv_status (*detect)(
        cocv_cascade *cascade, const cocv_luma *luma, float min_width, cocv_object *objects, size_t object_capacity,
        size_t *count, char *error, size_t capacity);
} cocv_functions;

/// Loads the plugin, which stays loaded, and fills in its functions. Safe to call again, from any thread.
/// Returns false with a message when the plugin or a library that it needs is not there.
bool cocv_open(cocv_functions *functions, char *error, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
