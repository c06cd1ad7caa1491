#include "Network.hpp"

#include <cstdio>
#include <filesystem>
#include <sstream>
#include <vector>

#include <openvino/core/log.hpp>
#include <openvino/core/preprocess/pre_post_process.hpp>

namespace covn {
namespace {

namespace fs = std::filesystem;

/// OpenVINO logs to standard output, which carries events here.
void log_to_stderr(std::string_view message) {
    std::fprintf(stderr, "openvino: %.*s\n", int(message.size()), message.data());
}

void check_file(const fs::path &path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    const auto fail = [&path](const char *why) {
        throw Failure(COVN_UNUSABLE_MODEL, "cannot read model: " + std::string(why) + " (" + path.string() + ")");
    };
    if (!fs::exists(status)) fail("no such file");
    if (!fs::is_regular_file(status)) fail("not a regular file");
    const auto suffix = path.extension();
    if (suffix != ".onnx" && suffix != ".tflite" && suffix != ".xml") fail("expected a .onnx, .tflite or .xml file");
    if (fs::file_size(path, error) == 0 || error) fail("the file is empty");
    if (std::FILE *file = std::fopen(path.c_str(), "rb")) {
        std::fclose(file);
    } else {
        fail("no permission");
    }
}

bool is_channels(const ov::Dimension &dimension) {
    return dimension.is_static() && (dimension.get_length() == 1 || dimension.get_length() == 3);
}

/// "NCHW" or "NHWC" by where the file says 1 or 3 channels.
const char *layout_of(const ov::PartialShape &shape) {
    if (shape.rank().is_static() && shape.rank().get_length() == 4) {
        if (is_channels(shape[1])) return "NCHW";
        if (is_channels(shape[3])) return "NHWC";
    }
    std::ostringstream text;
    text << "its input has shape " << shape << "; expected one picture of 1 or 3 channels";
    throw Failure(COVN_UNUSABLE_MODEL, text.str());
}

int chosen(int32_t wanted, const ov::Dimension &own) {
    if (wanted > 0) return wanted;
    if (own.is_static()) return int(own.get_length());
    throw Failure(COVN_UNUSABLE_MODEL, "its input has no fixed size: give an input width and height");
}

void add_preprocessing(std::shared_ptr<ov::Model> &model, const covn_model_options &options, const char *layout) {
    const size_t channels = model->input().get_shape()[layout[1] == 'C' ? 1 : 3];
    std::vector<float> mean(options.mean, options.mean + channels);
    std::vector<float> scale(options.scale, options.scale + channels);
    bool has_mean = false;
    bool has_scale = false;
    for (size_t c = 0; c < channels; c++) {
        if (scale[c] == 0) scale[c] = 1;
        has_mean = has_mean || mean[c] != 0;
        has_scale = has_scale || scale[c] != 1;
    }
    ov::preprocess::PrePostProcessor processor(model);
    auto &input = processor.input();
    input.tensor().set_element_type(ov::element::u8).set_layout("NHWC");
    input.model().set_layout(layout);
    if (has_mean || has_scale) input.preprocess().convert_element_type(ov::element::f32);
    if (has_mean) input.preprocess().mean(mean);
    if (has_scale) input.preprocess().scale(scale);
    for (size_t i = 0; i < model->outputs().size(); i++) {
        processor.output(i).tensor().set_element_type(ov::element::f32);
    }
    model = processor.build();
}

}  // namespace

ov::Core &runtime() {
    static ov::Core *const core = [] {
        static const std::function<void(std::string_view)> log = log_to_stderr;
        ov::util::set_log_callback(log);
        return new ov::Core();
    }();
    return *core;
}

std::shared_ptr<ov::Model> read_network(const covn_model_options &options, Size &input) {
    check_file(options.path);
    try {
        auto model = runtime().read_model(options.path);
        if (model->inputs().size() != 1) {
            throw Failure(COVN_UNUSABLE_MODEL,
                          "it has " + std::to_string(model->inputs().size()) + " inputs; expected one picture");
        }
        ov::PartialShape shape = model->input().get_partial_shape();
        const char *const layout = layout_of(shape);
        const int row_axis = layout[1] == 'C' ? 2 : 1;
        input = {chosen(options.input_width, shape[row_axis + 1]), chosen(options.input_height, shape[row_axis])};
        shape[0] = 1;
        shape[row_axis] = input.height;
        shape[row_axis + 1] = input.width;
        model->reshape(shape);
        add_preprocessing(model, options, layout);
        return model;
    } catch (const Failure &failure) {
        throw Failure(failure.status, std::string("unusable model: ") + failure.what() + " (" + options.path + ")");
    } catch (const std::exception &error) {
        throw Failure(COVN_UNUSABLE_MODEL, "unusable model: " + brief(error) + " (" + options.path + ")");
    }
}

ov::CompiledModel compile(const std::shared_ptr<const ov::Model> &model, const covn_model_options &options) {
    const std::string device = options.device;
    // 32-bit arithmetic wherever it runs: by default the plugin would use bfloat16 on the processors that have it, and
    // the same frame would give other numbers there. No pinning: the machine is shared with other workers.
    const ov::AnyMap cpu{
        ov::inference_num_threads(options.threads),
        ov::num_streams(1),
        ov::hint::enable_cpu_pinning(false),
        ov::hint::inference_precision(ov::element::f32),
    };
    ov::AnyMap properties{ov::hint::performance_mode(ov::hint::PerformanceMode::LATENCY)};
    if (device == "CPU") {
        properties.insert(cpu.begin(), cpu.end());
    } else if (device.rfind("AUTO", 0) == 0) {
        properties.insert(ov::device::properties("CPU", cpu));
    }
    if (options.cache_dir && *options.cache_dir) {
        ov::AnyMap cached = properties;
        cached.insert(ov::cache_dir(options.cache_dir));
        try {
            return runtime().compile_model(model, device, cached);
        } catch (const std::exception &error) {
            log_to_stderr("compiling without the cache: " + brief(error));
        }
    }
    return runtime().compile_model(model, device, properties);
}

std::string brief(const std::exception &error) {
    std::istringstream lines(error.what());
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos) continue;
        if (line.compare(first, 15, "Exception from ") == 0) continue;
        if (line.compare(first, 7, "Check '") == 0 && line.find("' failed at ") != std::string::npos) continue;
        if (!result.empty()) result += ' ';
        result.append(line, first, std::string::npos);
    }
    return result.empty() ? "unknown failure in OpenVINO" : result;
}

}  // namespace covn
