// SPDX-License-Identifier: Apache-2.0
#include "COpenVINO.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <malloc.h>

#include "Compilation.hpp"
#include "Device.hpp"
#include "PixelGraph.hpp"
#include "Runtime.hpp"

using covn::Failure;
using covn::Size;

struct covn_network {
    std::shared_ptr<const covn::Network> network;
};

/// The compiled model is shared with its requests.
struct covn_graph {
    std::shared_ptr<const covn::Network> names;  ///< of the outputs; without the model itself
    ov::CompiledModel model;
    covn_geometry geometry;
    Size frame;
};

namespace {

template <class Body>
covn_status guarded(covn_status otherwise, char *error, size_t capacity, const Body &body) {
    return glimpse::guarded(otherwise, "OpenVINO", error, capacity, body, covn::brief);
}

void require(bool condition, const char *message) {
    if (!condition) throw Failure(COVN_BAD_ARGUMENT, message);
}

void check(const covn_graph_options &options) {
    require(options.threads >= 1, "graph: threads must be 1 or more");
    require(options.pixel_format >= COVN_NV12 && options.pixel_format <= COVN_BGR, "graph: unknown pixel format");
    require(options.frame_width >= 2 && options.frame_height >= 2, "graph: the frame size is smaller than 2x2");
    require(options.frame_width <= 32768 && options.frame_height <= 32768, "graph: the frame size is beyond 32768");
    const bool is_subsampled = options.pixel_format == COVN_NV12 || options.pixel_format == COVN_I420;
    require(!is_subsampled || (options.frame_width % 2 == 0 && options.frame_height % 2 == 0),
            "graph: chroma covers pixels by twos, and the frame size is odd");
}

covn_geometry geometry_of(const covn_graph_options &options, Size input) {
    const covn::Placement place = covn::placement(options, input);
    return {input.width,
            input.height,
            double(place.part.width) / options.frame_width,
            double(place.part.height) / options.frame_height,
            double(place.left),
            double(place.top)};
}

void describe(const ov::PartialShape &shape, covn_tensor &tensor) {
    if (shape.rank().is_dynamic()) return;
    tensor.rank = std::min<size_t>(shape.size(), COVN_MAX_RANK);
    for (size_t i = 0; i < tensor.rank; i++) tensor.dimensions[i] = shape[i].is_static() ? shape[i].get_length() : -1;
}

}  // namespace

struct covn_request {
    /// A plane of the picture as the request sees it.
    struct Plane {
        ov::Shape shape;
        ov::Tensor own;                  ///< a copy without the padding of rows; empty until it is needed
        const uint8_t *given = nullptr;  ///< what the request reads
    };

    std::shared_ptr<const covn::Network> names;
    ov::InferRequest request;
    Size frame;
    std::vector<Plane> planes;
    std::vector<ov::Tensor> outputs;
    bool has_run = false;

    explicit covn_request(const covn_graph &graph)
        : names(graph.names), request(ov::CompiledModel(graph.model).create_infer_request()), frame(graph.frame) {
        for (const auto &input : graph.model.inputs()) planes.push_back({input.get_shape(), {}});
        for (size_t i = 0; i < graph.model.outputs().size(); i++) outputs.push_back(request.get_output_tensor(i));
    }

    /// Gives the request plane `index`: the memory itself when its rows follow each other, else a copy.
    ///
    /// OpenVINO takes strided tensors too, but its CPU plugin (2026.4.1) copies them to where its input node points.
    /// The node still points to the last tight tensor's memory, which by then belongs to another picture. The cause is
    /// `change_default_ptr`, which resets the pointer only for tensors that it can use in place.
    ///
    /// The node is the graph's, so with several requests it may point to another request's picture. So all tensors are
    /// tight: the node is always pointed at them anew.
    void set_plane(size_t index, const covn_image &image) {
        Plane &plane = planes[index];
        const uint8_t *const samples = image.planes[index];
        const size_t rows = plane.shape[1];
        const size_t row = plane.shape[2] * plane.shape[3];
        require(samples != nullptr, "picture: a plane is missing");
        require(image.strides[index] > 0 && size_t(image.strides[index]) >= row,
                "picture: a row stride is smaller than the row");
        const size_t stride = size_t(image.strides[index]);
        const uint8_t *tight = samples;
        if (stride != row) {
            if (!plane.own) plane.own = ov::Tensor(ov::element::u8, plane.shape);
            uint8_t *const target = plane.own.data<uint8_t>();
            for (size_t y = 0; y < rows; y++) std::memcpy(target + y * row, samples + y * stride, row);
            tight = target;
        }
        if (plane.given == tight) return;
        // Inputs are only read.
        request.set_input_tensor(index, ov::Tensor(ov::element::u8, plane.shape, const_cast<uint8_t *>(tight)));
        plane.given = tight;
    }

    void infer(const covn_image &image) {
        require(image.width == frame.width && image.height == frame.height,
                "picture: not of the size that the graph was compiled for");
        for (size_t i = 0; i < planes.size(); i++) set_plane(i, image);
        repeat();
    }

    void repeat() {
        request.infer();
        for (size_t i = 0; i < outputs.size(); i++) outputs[i] = request.get_output_tensor(i);
        has_run = true;
    }
};

covn_status covn_network_read(
    const covn_network_options *options, covn_network **network, char *error, size_t capacity) {
    return guarded(COVN_UNUSABLE_MODEL, error, capacity, [&] {
        require(options && network, "model: no options or no place for the result given");
        *network = nullptr;
        require(options->path && *options->path, "model: no path given");
        require(options->input_width >= 0 && options->input_height >= 0, "model: the input size is negative");
        require(options->input_width <= 8192 && options->input_height <= 8192, "model: the input size is beyond 8192");
        if (options->device) covn::require_device(options->device);
        *network = new covn_network{covn::read_network(covn::NetworkSource(*options))};
    });
}

void covn_network_destroy(covn_network *network) { delete network; }

void covn_network_input(const covn_network *network, int32_t *width, int32_t *height) {
    *width = network->network->input.width;
    *height = network->network->input.height;
}

size_t covn_network_output_count(const covn_network *network) { return network->network->outputs.size(); }

void covn_network_output(const covn_network *network, size_t index, covn_tensor *output) {
    *output = {};
    output->name = network->network->outputs[index].name.c_str();
    describe(network->network->outputs[index].shape, *output);
}

covn_status covn_graph_compile(
    const covn_network *network, const covn_graph_options *options, covn_graph **graph, bool *is_cached, char *error,
    size_t capacity) {
    return guarded(COVN_UNUSABLE_MODEL, error, capacity, [&] {
        require(network && options && graph && is_cached, "graph: no network, options or place for the result given");
        *graph = nullptr;
        check(*options);
        auto model = covn::compile(*network->network, *options, *is_cached);
        auto names = std::make_shared<covn::Network>(*network->network);
        names->model = nullptr;
        *graph = new covn_graph{
            std::move(names), std::move(model), geometry_of(*options, network->network->input),
            {options->frame_width, options->frame_height}};
        malloc_trim(0);  // what reading and compiling left behind: 2 of a process's 71 MB
    });
}

void covn_graph_destroy(covn_graph *graph) { delete graph; }

void covn_load_processor(void) {
    try {
        covn::runtime().get_versions("CPU");
    } catch (const std::exception &) {
        // The first network reports it.
    }
}

void covn_graph_rest(const covn_graph *graph) {
    try {
        ov::CompiledModel(graph->model).release_memory();
    } catch (const std::exception &) {
        return;  // another lane runs the graph
    }
    malloc_trim(0);  // by itself, the heap would keep what is freed
}

void covn_graph_geometry(const covn_graph *graph, covn_geometry *geometry) { *geometry = graph->geometry; }

covn_status covn_request_make(const covn_graph *graph, covn_request **request, char *error, size_t capacity) {
    return guarded(COVN_UNUSABLE_MODEL, error, capacity, [&] {
        require(graph && request, "request: no graph or no place for the result given");
        *request = nullptr;
        *request = new covn_request(*graph);
    });
}

void covn_request_destroy(covn_request *request) { delete request; }

covn_status covn_request_infer(covn_request *request, const covn_image *image, char *error, size_t capacity) {
    return guarded(COVN_INFERENCE_FAILED, error, capacity, [&] {
        require(request && image, "no request or no picture given");
        request->infer(*image);
    });
}

covn_status covn_request_repeat(covn_request *request, char *error, size_t capacity) {
    return guarded(COVN_INFERENCE_FAILED, error, capacity, [&] {
        require(request && request->has_run, "no request, or it has not run yet");
        request->repeat();
    });
}

void covn_request_output(const covn_request *request, size_t index, covn_tensor *output) {
    *output = {};
    output->name = request->names->outputs[index].name.c_str();
    if (!request->has_run) return;
    const ov::Tensor &tensor = request->outputs[index];
    const ov::Shape &shape = tensor.get_shape();
    output->rank = std::min<size_t>(shape.size(), COVN_MAX_RANK);
    for (size_t i = 0; i < output->rank; i++) output->dimensions[i] = int64_t(shape[i]);
    output->count = tensor.get_size();
    output->data = tensor.data<const float>();
}
