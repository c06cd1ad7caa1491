// SPDX-License-Identifier: Apache-2.0
/// Plain C over OpenVINO's C++ API: networks that take one picture, read where the picture lies.
///
/// A `covn_network` is a model file as read. A `covn_graph` is that network compiled for pictures of one size and
/// layout, with resize, letterbox, colour, mean, scale and channel order inside. Any number of `covn_request`s run a
/// graph, each for a thread of its own, one after the other (a graph has one stream).
///
/// Threading: networks and graphs are immutable and may be used by any number of threads; a request belongs to one at a
/// time. Errors: a status, and a message of at most `capacity - 1` bytes in `error`, terminated; NULL with 0 is
/// allowed. On success `error` is left alone. No C++ exception leaves this library.
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
    /// The caller's mistake: sizes, strides, a missing pointer, a picture of another size than the graph's.
    COVN_BAD_ARGUMENT = 1,
    /// The model cannot be read, reshaped or compiled, or the device or its plugin is missing.
    COVN_UNUSABLE_MODEL = 2,
    /// This picture could not be processed; the request remains usable.
    COVN_INFERENCE_FAILED = 3,
} covn_status;

/// How the picture's samples lie in memory.
typedef enum {
    COVN_NV12 = 0,  ///< planes[0]: Y, planes[1]: U and V interleaved, half width and height
    COVN_I420 = 1,  ///< planes[0]: Y, planes[1]: U, planes[2]: V, each half width and height
    COVN_GREY = 2,  ///< planes[0]: one byte a pixel, 0 black, 255 white
    COVN_BGR = 3,   ///< planes[0]: three bytes a pixel
} covn_pixel_format;

/// How Y, U and V make colours (ITU-R BT.601, BT.709, BT.2020).
typedef enum { COVN_BT601 = 0, COVN_BT709 = 1, COVN_BT2020 = 2 } covn_matrix;

typedef enum { COVN_CHANNELS_BGR = 0, COVN_CHANNELS_RGB = 1, COVN_CHANNELS_GREY = 2 } covn_channels;

typedef enum { COVN_LAYOUT_NCHW = 0, COVN_LAYOUT_NHWC = 1, COVN_LAYOUT_OF_FILE = 2 } covn_layout;

typedef enum {
    COVN_STRETCH = 0,             ///< width and height are scaled each by its own factor to fill the network's input
    COVN_LETTERBOX_TOP_LEFT = 1,  ///< one factor for both, padding right and below
    COVN_LETTERBOX_CENTRE = 2,    ///< one factor for both, padding on both sides
    COVN_INSET = 3,               ///< as COVN_LETTERBOX_TOP_LEFT, but never enlarged
} covn_fit;

typedef struct {
    const char *device;                 ///< to compile for; a device that the machine lacks is refused; NULL: "CPU"
    const char *path;                   ///< ONNX, TFLite or OpenVINO IR (`.xml`)
    int32_t input_width, input_height;  ///< the network is reshaped to these; 0: the file's own
    covn_layout layout;                 ///< a file that says otherwise is refused
    covn_channels channels;             ///< of the network's input: three or one; a file that says otherwise is refused
    /// A tensor inside that becomes the only output, averaged over rows and columns if it has them (NCHW). NULL: the
    /// file's outputs.
    const char *output;
    /// Folder for compiled graphs and descriptions of networks, made when missing; NULL: no cache.
    const char *cache_dir;
} covn_network_options;

typedef struct {
    const char *device;  ///< "CPU", "AUTO", "GPU", "NPU"; NULL: "CPU"
    int32_t threads;     ///< inference threads of this graph, 1 or more

    covn_pixel_format pixel_format;
    covn_matrix matrix;
    bool full_range;                    ///< Y, U and V of 0...255, not 16...235 and 16...240
    int32_t frame_width, frame_height;  ///< of the pictures to come, 2 or more; even where chroma covers pixels by twos

    covn_fit fit;
    float padding;  ///< letterbox, inset: value of the padding, 0...255, before mean and scale
    /// In the network's channel order: network input = (sample - mean) / scale. A scale of 0 counts as 1.
    float mean[3];
    float scale[3];
} covn_graph_options;

/// One picture. `planes` are borrowed until `covn_request_infer` returns; `strides` are bytes from row to row.
/// For 4:2:0 formats a region of interest begins at even coordinates.
typedef struct {
    const uint8_t *planes[3];
    int32_t strides[3];
    int32_t width, height;
} covn_image;

/// Where the picture is in the network's input: network = picture * scale + offset, both in pixels.
typedef struct {
    int32_t input_width, input_height;
    double scale_x, scale_y;
    double offset_x, offset_y;
} covn_geometry;

enum { COVN_MAX_RANK = 8 };

/// An output. Row-major 32-bit floats; `dimensions` of -1 are not known before an inference.
typedef struct {
    const char *name;  ///< empty when it has none
    const float *data;
    size_t count;
    size_t rank;
    int64_t dimensions[COVN_MAX_RANK];
} covn_tensor;

typedef struct covn_network covn_network;
typedef struct covn_graph covn_graph;
typedef struct covn_request covn_request;

/// Loads the library that runs networks on the processor, which the first network does otherwise. Starts no thread.
void covn_load_processor(void);

/// Reads the file, makes sure that it takes one picture, and reshapes it. On success `*network` must go to
/// `covn_network_destroy`; otherwise it is NULL. A file that the cache describes is not parsed until it is compiled.
covn_status covn_network_read(
    const covn_network_options *options, covn_network **network, char *error, size_t capacity);
void covn_network_destroy(covn_network *network);

/// The network's input in pixels, as reshaped.
void covn_network_input(const covn_network *network, int32_t *width, int32_t *height);
size_t covn_network_output_count(const covn_network *network);
/// Name and dimensions of an output, without data. The name is valid as long as the network. `index` is in range.
void covn_network_output(const covn_network *network, size_t index, covn_tensor *output);

/// Compiles the network for pictures of one kind, or reads what was compiled before out of the cache: `*is_cached` says
/// which.
///
/// A cached file that is damaged, foreign or of another version costs the time of compiling. A folder that cannot be
/// written costs a line on standard error.
covn_status covn_graph_compile(
    const covn_network *network, const covn_graph_options *options, covn_graph **graph, bool *is_cached, char *error,
    size_t capacity);
void covn_graph_destroy(covn_graph *graph);
/// Gives the memory back that a run of the graph needs and the next run allocates again: intermediate tensors. Outputs
/// of requests stay valid. Does nothing while another thread runs the graph.
void covn_graph_rest(const covn_graph *graph);
void covn_graph_geometry(const covn_graph *graph, covn_geometry *geometry);

/// The request keeps the graph alive.
covn_status covn_request_make(const covn_graph *graph, covn_request **request, char *error, size_t capacity);
void covn_request_destroy(covn_request *request);

/// Runs the network on one picture of the graph's size.
covn_status covn_request_infer(covn_request *request, const covn_image *image, char *error, size_t capacity);
/// Runs it again on the planes of the last picture, which must still be there: what is measured against.
covn_status covn_request_repeat(covn_request *request, char *error, size_t capacity);

/// An output of the last inference, valid until the next one. `count` is 0 before the first. `index` is in range.
void covn_request_output(const covn_request *request, size_t index, covn_tensor *output);

#ifdef __cplusplus
}
#endif
#endif
