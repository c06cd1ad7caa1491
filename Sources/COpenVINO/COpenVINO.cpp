#include "COpenVINO.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <malloc.h>

#include "Network.hpp"

using covn::Failure;
using covn::Size;

namespace {

/// One network compiled for one size of picture.
struct Compiled {
    Size frame;
    ov::CompiledModel model;
    ov::InferRequest request;
    std::array<ov::Tensor, 3> packed{};  // planes without their padding; made when first needed
};

constexpr size_t kept_sizes = 4;

void report(const char *message, char *error, size_t capacity) {
    if (!error || capacity == 0) return;
    const size_t length = std::min(std::strlen(message), capacity - 1);
    std::memcpy(error, message, length);
    error[length] = '\0';
}

/// Runs `body`; every C++ exception becomes a status and a message. `otherwise` is the status of those of OpenVINO.
template <class Body>
covn_status guarded(covn_status otherwise, char *error, size_t capacity, const Body &body) {
    try {
        body();
        return COVN_OK;
    } catch (const Failure &failure) {
        report(failure.what(), error, capacity);
        return failure.status;
    } catch (const std::exception &exception) {
        report(covn::brief(exception).c_str(), error, capacity);
    } catch (...) {
        report("unknown failure in OpenVINO", error, capacity);
    }
    return otherwise;
}

void require(bool condition, const char *message) {
    if (!condition) throw Failure(COVN_BAD_ARGUMENT, message);
}

bool is_subsampled(covn_pixel_format format) { return format == COVN_NV12 || format == COVN_I420; }

/// The size that is processed: 4:2:0 chroma covers pixels by twos.
Size even_part(covn_pixel_format format, int width, int height) {
    return is_subsampled(format) ? Size{width & ~1, height & ~1} : Size{width, height};
}

/// Checks plane `index` and returns it as a tensor of `shape` `[1, rows, columns, channels]`: the memory itself when
/// its rows follow each other, else `packed`, into which they are copied.
///
/// OpenVINO takes strided tensors too, but its CPU plugin copies them as well, and (2026.4.1) when an earlier tensor
/// had no padding, it copies into *that* picture's memory, which by then belongs to somebody else.
ov::Tensor plane_tensor(const covn_image &image, int index, const ov::Shape &shape, ov::Tensor &packed) {
    const uint8_t *const samples = image.planes[index];
    const size_t rows = shape[1];
    const size_t row = shape[2] * shape[3];
    require(samples != nullptr, "picture: a plane is missing");
    require(image.strides[index] > 0 && size_t(image.strides[index]) >= row,
            "picture: a row stride is smaller than the row");
    const size_t stride = size_t(image.strides[index]);
    if (stride == row) return {ov::element::u8, shape, const_cast<uint8_t *>(samples)};  // inputs are only read
    if (!packed) packed = ov::Tensor(ov::element::u8, shape);
    uint8_t *const target = packed.data<uint8_t>();
    for (size_t y = 0; y < rows; y++) std::memcpy(target + y * row, samples + y * stride, row);
    return packed;
}

}  // namespace

struct covn_model {
    covn_model_options options{};
    std::string path, device, cache_dir;  // what the pointers in `options` point at
    std::shared_ptr<ov::Model> network;
    Size input;
    std::vector<std::string> output_names;
    std::vector<Compiled> compiled;  // most recent last
    std::vector<ov::Tensor> outputs;
    double scale_x = 0, scale_y = 0;

    explicit covn_model(const covn_model_options &given) : options(given) {
        require(given.path && *given.path, "model: no path given");
        require(given.threads >= 1, "model: threads must be 1 or more");
        require(given.pixel_format >= COVN_NV12 && given.pixel_format <= COVN_BGR, "model: unknown pixel format");
        require(given.input_width >= 0 && given.input_height >= 0, "model: the input size is negative");
        require(given.frame_width >= 0 && given.frame_height >= 0, "model: the frame size is negative");
        path = given.path;
        device = given.device && *given.device ? given.device : "CPU";
        cache_dir = given.cache_dir ? given.cache_dir : "";
        options.path = path.c_str();
        options.device = device.c_str();
        options.cache_dir = cache_dir.c_str();
        network = covn::read_network(options, input);
        for (const auto &output : network->outputs()) {
            output_names.push_back(output.get_names().empty() ? "" : output.get_any_name());
        }
        if (given.frame_width > 0 && given.frame_height > 0) {
            const Size frame = even_part(options.pixel_format, given.frame_width, given.frame_height);
            require(frame.width >= 2 && frame.height >= 2, "model: the frame size is smaller than 2x2");
            compiled_for(frame);
        }
    }

    Compiled &compiled_for(Size frame) {
        const auto found = std::find_if(
            compiled.begin(), compiled.end(), [frame](const Compiled &candidate) { return candidate.frame == frame; });
        if (found != compiled.end()) {
            std::rotate(found, found + 1, compiled.end());
            return compiled.back();
        }
        try {
            auto model = covn::compile(covn::with_pixel_inputs(network, options, frame, input), options);
            auto request = model.create_infer_request();
            if (compiled.size() == kept_sizes) compiled.erase(compiled.begin());
            compiled.push_back({frame, std::move(model), std::move(request), {}});
            malloc_trim(0);  // what reading and compiling left behind: 2 of a process's 71 MB
            return compiled.back();
        } catch (const std::exception &error) {
            throw Failure(COVN_UNUSABLE_MODEL, "unusable model: cannot compile for " + device + ": " +
                                                   covn::brief(error) + " (" + path + ")");
        }
    }

    void infer(const covn_image &image) {
        const Size frame = even_part(options.pixel_format, image.width, image.height);
        require(frame.width >= 2 && frame.height >= 2, "picture: smaller than 2x2");
        Compiled &entry = compiled_for(frame);
        const auto &inputs = entry.model.inputs();
        for (size_t i = 0; i < inputs.size(); i++) {
            entry.request.set_input_tensor(i, plane_tensor(image, int(i), inputs[i].get_shape(), entry.packed[i]));
        }
        outputs.clear();
        entry.request.infer();
        for (size_t i = 0; i < output_names.size(); i++) outputs.push_back(entry.request.get_output_tensor(i));
        const Size part = covn::filled_part(options, frame, input);
        scale_x = double(part.width) / frame.width;
        scale_y = double(part.height) / frame.height;
    }
};

covn_status covn_model_load(
    const covn_model_options *options, covn_model **model, char *error, size_t capacity) {
    return guarded(COVN_UNUSABLE_MODEL, error, capacity, [&] {
        require(options && model, "model: no options or no place for the result given");
        *model = nullptr;
        *model = new covn_model(*options);
    });
}

void covn_model_destroy(covn_model *model) { delete model; }

covn_status covn_model_infer(covn_model *model, const covn_image *image, char *error, size_t capacity) {
    return guarded(COVN_INFERENCE_FAILED, error, capacity, [&] {
        require(model && image, "no model or no picture given");
        model->infer(*image);
    });
}

void covn_model_input_scale(const covn_model *model, double *x, double *y) {
    *x = model->scale_x;
    *y = model->scale_y;
}

void covn_model_input_size(const covn_model *model, int32_t *width, int32_t *height) {
    *width = model->input.width;
    *height = model->input.height;
}

size_t covn_model_output_count(const covn_model *model) { return model->output_names.size(); }

const char *covn_model_output_name(const covn_model *model, size_t index) {
    return index < model->output_names.size() ? model->output_names[index].c_str() : nullptr;
}

int32_t covn_model_output_index(const covn_model *model, const char *name) {
    const auto &names = model->output_names;
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : int32_t(found - names.begin());
}

size_t covn_model_output_shape(const covn_model *model, size_t index, int64_t *dimensions, size_t capacity) {
    if (index >= model->outputs.size()) return 0;
    const auto &shape = model->outputs[index].get_shape();
    for (size_t i = 0; i < std::min(shape.size(), capacity); i++) dimensions[i] = int64_t(shape[i]);
    return shape.size();
}

const float *covn_model_output_data(const covn_model *model, size_t index, size_t *count) {
    *count = 0;
    if (index >= model->outputs.size()) return nullptr;
    const ov::Tensor &output = model->outputs[index];
    *count = output.get_size();
    return output.data<const float>();
}
