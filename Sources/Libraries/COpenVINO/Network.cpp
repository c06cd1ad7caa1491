// SPDX-License-Identifier: Apache-2.0
#include "Network.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <openvino/core/preprocess/pre_post_process.hpp>
#include <openvino/opsets/opset8.hpp>

#include "Fingerprint.hpp"
#include "GraphCache.hpp"
#include "Runtime.hpp"

namespace covn {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string &why) { throw Failure(COVN_UNUSABLE_MODEL, why); }

void check_file(const fs::path &path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    const auto fail = [&path](const char *why) {
        refuse("cannot read model: " + std::string(why) + " (" + path.string() + ")");
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

/// Whether `dimension` may be a picture's channels.
bool fits(const ov::Dimension &dimension, int channels) {
    return dimension.is_dynamic() || dimension.get_length() == channels;
}

/// Whether channels come last, by the options or by where the file says 1 or 3.
bool has_channels_last(const ov::PartialShape &shape, const NetworkSource &source) {
    const int channels = source.channels == COVN_CHANNELS_GREY ? 1 : 3;
    if (shape.rank().is_static() && shape.rank().get_length() == 4) {
        if (source.layout != COVN_LAYOUT_NHWC && fits(shape[1], channels)) return false;
        if (source.layout != COVN_LAYOUT_NCHW && fits(shape[3], channels)) return true;
    }
    std::ostringstream text;
    text << "its input has shape " << shape << "; expected one picture of " << channels
         << (channels == 1 ? " channel" : " channels");
    if (source.layout != COVN_LAYOUT_OF_FILE) text << ", " << (source.layout == COVN_LAYOUT_NCHW ? "NCHW" : "NHWC");
    refuse(text.str());
}

int chosen(int32_t wanted, const ov::Dimension &own) {
    if (wanted > 0) return wanted;
    if (own.is_static()) return int(own.get_length());
    refuse("its input has no fixed size: give an input width and height");
}

void reshape(ov::Model &model, Network &network) {
    ov::PartialShape shape = model.input().get_partial_shape();
    network.channels_last = has_channels_last(shape, network.source);
    const int row_axis = network.channels_last ? 1 : 2;
    const Size wanted = network.source.size;
    network.input = {chosen(wanted.width, shape[row_axis + 1]), chosen(wanted.height, shape[row_axis])};
    const ov::PartialShape own = shape;
    shape[0] = 1;
    shape[network.channels_last ? 3 : 1] = network.source.channels == COVN_CHANNELS_GREY ? 1 : 3;
    shape[row_axis] = network.input.height;
    shape[row_axis + 1] = network.input.width;
    if (shape == own) return;
    try {
        model.reshape(shape);
    } catch (const std::exception &error) {
        std::ostringstream text;
        text << "it cannot take " << network.input.width << "x" << network.input.height << " pixels: " << brief(error);
        refuse(text.str());
    }
}

/// The part of the model that computes one of its tensors, which is averaged over rows and columns where it has them.
std::shared_ptr<ov::Model> cut(const std::shared_ptr<ov::Model> &model, const std::string &name) {
    for (const auto &node : model->get_ordered_ops()) {
        for (const auto &port : node->outputs()) {
            if (port.get_names().count(name) == 0) continue;
            ov::Output<ov::Node> end = port;
            if (port.get_partial_shape().rank() == 4) {
                const auto axes = ov::opset8::Constant::create(ov::element::i64, {2}, {2, 3});
                end = std::make_shared<ov::opset8::ReduceMean>(port, axes, false)->output(0);
                end.set_names({name + "/mean"});
            }
            return std::make_shared<ov::Model>(ov::OutputVector{end}, model->get_parameters());
        }
    }
    refuse("it has no tensor \"" + name + "\"");
}

/// Turns quantised outputs into the values that they stand for. The outputs of a TFLite file end in a FakeQuantize to
/// the stored values, and no decoder knows its scale.
void dequantise_outputs(ov::Model &model) {
    using namespace ov::opset8;
    for (const auto &result : model.get_results()) {
        auto stored = result->input_value(0);
        while (ov::is_type<Transpose>(stored.get_node()) || ov::is_type<Reshape>(stored.get_node())) {
            stored = stored.get_node()->input_value(0);
        }
        if (!ov::is_type<Convert>(stored.get_node())) continue;
        const auto steps = ov::as_type_ptr<FakeQuantize>(stored.get_node()->input_value(0).get_node_shared_ptr());
        if (!steps) continue;
        const auto low = steps->input_value(1), high = steps->input_value(2);
        stored.replace(
            std::make_shared<FakeQuantize>(steps->input_value(0), low, high, low, high, steps->get_levels())->output(0));
    }
    model.validate_nodes_and_infer_types();
}

std::string fingerprint(const fs::path &path) {
    Fingerprint content;
    const auto add = [&content](const fs::path &file) {
        std::ifstream stream(file, std::ios::binary);
        std::vector<char> part(1 << 16);
        while (stream.read(part.data(), std::streamsize(part.size())) || stream.gcount() > 0) {
            content.add(part.data(), size_t(stream.gcount()));
        }
    };
    add(path);
    if (path.extension() == ".xml") add(fs::path(path).replace_extension(".bin"));
    return hexadecimal(content.value());
}

Network parsed(const NetworkSource &source) {
    Network network(source);
    try {
        auto model = runtime().read_model(source.path);
        if (model->inputs().size() != 1) {
            refuse("it has " + std::to_string(model->inputs().size()) + " inputs; expected one picture");
        }
        dequantise_outputs(*model);
        if (!source.inner_output.empty()) model = cut(model, source.inner_output);
        reshape(*model, network);
        ov::preprocess::PrePostProcessor processor(model);
        for (size_t i = 0; i < model->outputs().size(); i++) {
            processor.output(i).tensor().set_element_type(ov::element::f32);
        }
        network.model = processor.build();
        for (const auto &output : network.model->outputs()) {
            const std::string name = output.get_names().empty() ? "" : output.get_any_name();
            network.outputs.push_back({name, output.get_partial_shape()});
        }
        return network;
    } catch (const Failure &failure) {
        throw Failure(failure.status, std::string("unusable model: ") + failure.what() + " (" + source.path + ")");
    } catch (const std::exception &error) {
        refuse("unusable model: " + brief(error) + " (" + source.path + ")");
    }
}

/// All that a description depends on, on one line.
std::string description_key(const Network &network) {
    const NetworkSource &source = network.source;
    std::ostringstream key;
    key << "description " << network.content << " openvino=" << ov::get_openvino_version().buildNumber
        << " size=" << source.size.width << 'x' << source.size.height << " layout=" << source.layout
        << " channels=" << source.channels << " output=" << source.inner_output;
    return one_line(key.str());
}

/// The input's size and layout, then a line for each output: its shape, a space, its name.
std::string described(const Network &network) {
    std::ostringstream text;
    text << network.input.width << ' ' << network.input.height << ' ' << network.channels_last << '\n';
    for (const auto &output : network.outputs) text << output.shape.to_string() << ' ' << one_line(output.name) << '\n';
    return text.str();
}

void read_description(std::istream &text, Network &network) {
    std::string line;
    if (!(text >> network.input.width >> network.input.height >> network.channels_last) || !std::getline(text, line)) {
        throw std::runtime_error("no size");
    }
    while (std::getline(text, line)) {
        const size_t end = line.find(' ');
        if (end == std::string::npos) throw std::runtime_error("an output without a shape");
        network.outputs.push_back({line.substr(end + 1), ov::PartialShape(line.substr(0, end))});
    }
    if (network.outputs.empty()) throw std::runtime_error("no output");
}

}  // namespace

NetworkSource::NetworkSource(const covn_network_options &options)
    : path(options.path), size{options.input_width, options.input_height}, layout(options.layout),
      channels(options.channels), inner_output(options.output ? options.output : ""),
      cache_dir(options.cache_dir ? options.cache_dir : "") {}

std::shared_ptr<const Network> read_network(const NetworkSource &source) {
    check_file(source.path);
    if (source.cache_dir.empty()) return std::make_shared<Network>(parsed(source));
    const GraphCache cache(source.cache_dir);
    Network network(source, fingerprint(source.path));
    const std::string key = description_key(network);
    if (const auto description = cache.load(key)) {
        try {
            Network known = network;
            std::istringstream text{std::string(description->content)};
            read_description(text, known);
            return std::make_shared<Network>(std::move(known));
        } catch (const std::exception &error) {
            complain("reading the model again: " + brief(error));
        }
    }
    const std::string content = std::move(network.content);
    network = parsed(source);
    network.content = content;
    try {
        cache.store(key, described(network));
    } catch (const std::exception &error) {
        complain("no cache of models: " + brief(error));
    }
    return std::make_shared<Network>(std::move(network));
}

std::shared_ptr<const ov::Model> model_of(const Network &network) {
    if (network.model) return network.model;
    if (fingerprint(network.source.path) != network.content) {
        refuse("the model has changed since the start: restart the pipeline (" + network.source.path + ")");
    }
    return parsed(network.source).model;
}

}  // namespace covn
