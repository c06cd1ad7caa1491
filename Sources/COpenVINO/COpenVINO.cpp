#include "COpenVINO.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <malloc.h>

#include "Network.hpp"
#include "PlaneResize.hpp"

using covn::Failure;
using covn::PlaneResize;
using covn::Size;

namespace {

/// The network compiled for one size of what a picture fills of its input.
struct Compiled {
    Size part;
    ov::CompiledModel model;
    ov::InferRequest request;
    Size frame{};                      // of the last picture
    std::vector<PlaneResize> planes{};  // from its planes to the request's tensors
};

constexpr size_t kept_parts = 4;

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

/// The size of plane `index`, and its channels.
std::pair<Size, int> plane_shape(covn_pixel_format format, Size frame, size_t index) {
    const Size half{frame.width / 2, frame.height / 2};
    if (format == COVN_BGR) return {frame, 3};
    if (index == 0) return {frame, 1};
    return {half, format == COVN_NV12 ? 2 : 1};
}

/// Brings the picture's planes, of whichever strides, to the size that the network sees.
void fill(Compiled &entry, const covn_image &image, covn_pixel_format format, Size frame) {
    const size_t count = entry.model.inputs().size();
    if (!(entry.frame == frame)) {
        entry.planes.clear();
        for (size_t i = 0; i < count; i++) {
            const auto [size, channels] = plane_shape(format, frame, i);
            entry.planes.emplace_back(size, plane_shape(format, entry.part, i).first, channels);
        }
        entry.frame = frame;
    }
    for (size_t i = 0; i < count; i++) {
        const auto [size, channels] = plane_shape(format, frame, i);
        require(image.planes[i] != nullptr, "picture: a plane is missing");
        require(image.strides[i] >= size.width * channels, "picture: a row stride is smaller than the row");
    }
    for (size_t i = 0; i < count; i++) {
        entry.planes[i].run(
            image.planes[i], size_t(image.strides[i]), entry.request.get_input_tensor(i).data<uint8_t>());
    }
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
            compiled_for(covn::filled_part(options, frame, input));
        }
    }

    Compiled &compiled_for(Size part) {
        const auto found = std::find_if(
            compiled.begin(), compiled.end(), [part](const Compiled &candidate) { return candidate.part == part; });
        if (found != compiled.end()) {
            std::rotate(found, found + 1, compiled.end());
            return compiled.back();
        }
        try {
            auto model = covn::compile(covn::with_pixel_inputs(network, options, part, input), options);
            auto request = model.create_infer_request();
            if (compiled.size() == kept_parts) compiled.erase(compiled.begin());
            compiled.push_back({part, std::move(model), std::move(request)});
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
        const Size part = covn::filled_part(options, frame, input);
        Compiled &entry = compiled_for(part);
        fill(entry, image, options.pixel_format, frame);
        outputs.clear();
        entry.request.infer();
        for (size_t i = 0; i < output_names.size(); i++) outputs.push_back(entry.request.get_output_tensor(i));
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
