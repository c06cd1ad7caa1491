/// Plain C over OpenVINO's C++ API: one model, one picture at a time, on memory the caller owns.
///
/// The picture is read where it lies, with whichever strides, and brought to the network's size. Colour conversion, mean,
/// scale and layout are part of the compiled graph.
///
/// Threading: a `covn_model` belongs to one thread at a time. Different models are independent.
/// Errors: a status, and a message of at most `capacity - 1` bytes in `error`, terminated; NULL with 0 is allowed.
/// On success `error` is left alone.
/// No C++ exception leaves this library.
#ifndef GLIMPSE_COPENVINO_H
#define GLIMPSE_COPENVINO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    COVN_OK = 0,
    /// The caller's mistake: sizes, strides, a missing pointer, a picture smaller than 2x2.
    COVN_BAD_ARGUMENT = 1,
    /// The model cannot be read, reshaped or compiled, or the device or its plugin is missing.
    COVN_UNUSABLE_MODEL = 2,
    /// This picture could not be processed; the model remains usable.
    COVN_INFERENCE_FAILED = 3,
} covn_status;

/// How the picture's samples lie in memory. YUV is taken as BT.601, limited range (what OpenVINO converts).
typedef enum {
    COVN_NV12 = 0,  ///< planes[0]: Y, planes[1]: U and V interleaved, half width and height
    COVN_I420 = 1,  ///< planes[0]: Y, planes[1]: U, planes[2]: V, each half width and height
    COVN_GREY = 2,  ///< planes[0]: one byte a pixel, repeated into the network's channels
    COVN_BGR = 3,   ///< planes[0]: three bytes a pixel
} covn_pixel_format;

typedef enum { COVN_CHANNELS_BGR = 0, COVN_CHANNELS_RGB = 1 } covn_channel_order;

typedef enum {
    /// Width and height are scaled each by its own factor to fill the network's input.
    COVN_STRETCH = 0,
    /// One factor for both, the picture at the top left, `padding` to its right and below.
    COVN_LETTERBOX = 1,
} covn_fit;

typedef struct {
    const char *path;       ///< ONNX, TFLite or OpenVINO IR (`.xml`)
    const char *device;     ///< "CPU", "AUTO", "GPU", "NPU"; NULL: "CPU"
    const char *cache_dir;  ///< folder for compiled models, made when missing; NULL: no cache
    int32_t threads;        ///< inference threads of this model, 1 or more

    covn_pixel_format pixel_format;
    /// Size of the pictures to come, so that the first of them does not wait for the compiler; 0x0: not yet known.
    /// Another size is accepted at any time; see `covn_model_infer`.
    int32_t frame_width, frame_height;
    /// Size of the network's input, to which it is reshaped; 0x0: the size in the file.
    int32_t input_width, input_height;

    covn_fit fit;
    float padding;  ///< letterbox: value of the padding, 0...255, before mean and scale
    covn_channel_order channels;
    /// In the network's channel order: network input = (sample - mean) / scale. A scale of 0 counts as 1.
    float mean[3];
    float scale[3];
} covn_model_options;

/// One picture. `planes` are borrowed until `covn_model_infer` returns; `strides` are bytes from row to row.
/// For 4:2:0 formats a region of interest begins at even coordinates. Odd widths and heights are allowed: the last
/// column or row is then left out, because chroma covers pixels by twos.
typedef struct {
    const uint8_t *planes[3];
    int32_t strides[3];
    int32_t width, height;
} covn_image;

typedef struct covn_model covn_model;

/// Reads, reshapes and, when the frame size is given, compiles the model. On success `*model` must go to
/// `covn_model_destroy`; otherwise it is NULL.
covn_status covn_model_load(
    const covn_model_options *options, covn_model **model, char *error, size_t capacity);

/// NULL is allowed.
void covn_model_destroy(covn_model *model);

/// Runs the network on one picture; the outputs are then valid until the next call or `covn_model_destroy`.
///
/// With `COVN_STRETCH` pictures of all sizes share one compiled network. With `COVN_LETTERBOX` the first picture of a new
/// shape waits for a compilation (about 0.1 s for a small network; less with a cache); the four most recent shapes are kept.
covn_status covn_model_infer(covn_model *model, const covn_image *image, char *error, size_t capacity);

/// Pixels of the network's input per pixel of the last picture, after rounding to whole (and for 4:2:0 even) sizes:
/// divide the network's coordinates by these. 0 before the first successful `covn_model_infer`.
void covn_model_input_scale(const covn_model *model, double *x, double *y);

/// The network's input in pixels, as reshaped.
void covn_model_input_size(const covn_model *model, int32_t *width, int32_t *height);

size_t covn_model_output_count(const covn_model *model);

/// Name of an output, valid as long as the model; NULL when `index` is out of range.
const char *covn_model_output_name(const covn_model *model, size_t index);

/// Index of the output of that name, or -1.
int32_t covn_model_output_index(const covn_model *model, const char *name);

/// Number of dimensions of an output of the last inference; at most `capacity` of them are written to `dimensions`.
/// 0 before the first successful `covn_model_infer` or when `index` is out of range.
size_t covn_model_output_shape(const covn_model *model, size_t index, int64_t *dimensions, size_t capacity);

/// The output's values as 32-bit floats, row-major, `*count` of them. NULL and 0 where the shape is.
const float *covn_model_output_data(const covn_model *model, size_t index, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
