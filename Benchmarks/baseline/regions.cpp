// SPDX-License-Identifier: Apache-2.0
// Feeds a region of an NV12 frame to YuNet in three ways: packed rows, strided tensors, or whole planes with the
// region's begin as input. Prints CPU milliseconds, the least of 300 rounds in which the ways take turns. Also
// prints the greatest difference of the outputs from those of packed rows.
//
//   make regions && ./regions yunet_s_640_640.onnx
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <openvino/openvino.hpp>
#include <openvino/opsets/opset8.hpp>

namespace {

using namespace ov::opset8;
using Value = ov::Output<ov::Node>;

constexpr int input_width = 320, input_height = 192;

double milliseconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

struct Taps {
    std::vector<int32_t> first, second;
    std::vector<float> share;

    Taps(int source, int target) {
        for (int i = 0; i < target; i++) {
            const double position = std::clamp((i + 0.5) * source / target - 0.5, 0.0, source - 1.0);
            first.push_back(int(position));
            second.push_back(std::min(int(position) + 1, source - 1));
            share.push_back(float(position - int(position)));
        }
    }
};

Value gathered(const Value &value, std::vector<int32_t> indices, int64_t axis, const Value &begin) {
    Value where = Constant::create(ov::element::i32, {indices.size()}, indices);
    if (begin.get_node()) where = std::make_shared<Add>(where, begin);
    return std::make_shared<Gather>(value, where, Constant::create(ov::element::i64, {}, {axis}));
}

Value as_float(const Value &value) { return std::make_shared<Convert>(value, ov::element::f32); }

Value between(const Value &first, const Value &second, const std::vector<float> &share, const ov::Shape &shape) {
    const auto step = std::make_shared<Multiply>(
        std::make_shared<Subtract>(second, first), Constant::create(ov::element::f32, shape, share));
    return std::make_shared<Add>(first, step);
}

/// The channels of a plane's region at the network's size. `plane`: [rows, bytes]; `row`, `byte`: where the region
/// begins, or nothing.
std::vector<Value> resampled(const Value &plane, int rows, int columns, int channels, const Value &row, const Value &byte) {
    const Taps down(rows, input_height), across(columns, input_width);
    const auto lines = between(
        as_float(gathered(plane, down.first, 0, row)), as_float(gathered(plane, down.second, 0, row)), down.share,
        {size_t(input_height), 1});
    std::vector<Value> result;
    for (int channel = 0; channel < channels; channel++) {
        auto first = across.first, second = across.second;
        for (auto &index : first) index = index * channels + channel;
        for (auto &index : second) index = index * channels + channel;
        result.push_back(between(
            gathered(lines, first, 1, byte), gathered(lines, second, 1, byte), across.share, {size_t(input_width)}));
    }
    return result;
}

Value scaled(const Value &value, float factor) {
    return std::make_shared<Multiply>(value, Constant::create(ov::element::f32, {}, {factor}));
}

Value sum(const Value &a, const Value &b) { return std::make_shared<Add>(a, b); }

std::shared_ptr<Parameter> plane(int rows, int columns, int channels) {
    return std::make_shared<Parameter>(ov::element::u8, ov::PartialShape{1, rows, columns, channels});
}

Value flat(const Value &plane, int rows, int bytes) {
    const auto shape = Constant::create(ov::element::i64, {2}, std::vector<int64_t>{rows, bytes});
    return std::make_shared<Reshape>(plane, shape, false);
}

/// The network behind planes of `width` times `height`, of which a region of `part_width` times `part_height` is seen.
std::shared_ptr<ov::Model> graph(
    ov::Core &core, const char *path, int width, int height, int part_width, int part_height, bool has_begin) {
    const auto model = core.read_model(path);
    model->reshape({1, 3, input_height, input_width});
    ov::ParameterVector inputs{plane(height, width, 1), plane(height / 2, width / 2, 2)};
    std::vector<Value> begin(4);
    if (has_begin) {
        inputs.push_back(std::make_shared<Parameter>(ov::element::i32, ov::PartialShape{4}));
        for (int i = 0; i < 4; i++) begin[i] = gathered(inputs[2], {i}, 0, {});
    }
    const auto y = resampled(flat(inputs[0], height, width), part_height, part_width, 1, begin[0], begin[1])[0];
    const auto uv =
        resampled(flat(inputs[1], height / 2, width), part_height / 2, part_width / 2, 2, begin[2], begin[3]);
    ov::OutputVector channels;
    for (const auto &channel :
         {sum(y, scaled(uv[0], 1.772F)), sum(y, sum(scaled(uv[0], -0.344F), scaled(uv[1], -0.714F))),
          sum(y, scaled(uv[1], 1.402F))}) {
        const auto shape =
            Constant::create(ov::element::i64, {4}, std::vector<int64_t>{1, 1, input_height, input_width});
        channels.push_back(std::make_shared<Reshape>(channel, shape, false));
    }
    const auto picture = model->get_parameters()[0];
    picture->output(0).replace(std::make_shared<Concat>(channels, 1)->output(0));
    model->remove_parameter(picture);
    model->add_parameters(inputs);
    model->validate_nodes_and_infer_types();
    return model;
}

float difference(ov::InferRequest &a, ov::InferRequest &b) {
    float greatest = 0;
    for (size_t i = 0; i < a.get_compiled_model().outputs().size(); i++) {
        const auto x = a.get_output_tensor(i), y = b.get_output_tensor(i);
        for (size_t k = 0; k < x.get_size(); k++) {
            greatest = std::max(greatest, std::fabs(x.data<float>()[k] - y.data<float>()[k]));
        }
    }
    return greatest;
}

template <class Body>
void measure(double &least, const Body &body) {
    const double start = milliseconds();
    body();
    least = std::min(least, milliseconds() - start);
}

void compare(ov::Core &core, const char *path, int width, int height, int part_width, int part_height) {
    const ov::AnyMap options{
        ov::inference_num_threads(1), ov::num_streams(1), ov::hint::inference_precision(ov::element::f32),
        ov::hint::enable_cpu_pinning(false)};
    const size_t x = (width - part_width) / 2 & ~1, y = (height - part_height) / 2 & ~1;
    const size_t w = part_width, h = part_height, row = width;
    std::vector<uint8_t> luma(width * height), chroma(width * height / 2);
    for (auto &sample : luma) sample = uint8_t(std::rand());
    for (auto &sample : chroma) sample = uint8_t(std::rand());
    const ov::Tensor whole_luma(ov::element::u8, {1, size_t(height), row, 1}, luma.data());
    const ov::Tensor whole_chroma(ov::element::u8, {1, size_t(height) / 2, row / 2, 2}, chroma.data());
    const ov::Tensor strided_luma(whole_luma, {0, y, x, 0}, {1, y + h, x + w, 1});
    const ov::Tensor strided_chroma(whole_chroma, {0, y / 2, x / 2, 0}, {1, (y + h) / 2, (x + w) / 2, 2});
    ov::Tensor packed_luma(ov::element::u8, {1, h, w, 1}), packed_chroma(ov::element::u8, {1, h / 2, w / 2, 2});
    ov::Tensor begin(ov::element::i32, {4});
    const int32_t begins[] = {int32_t(y), int32_t(x), int32_t(y / 2), int32_t(x)};
    std::memcpy(begin.data(), begins, sizeof begins);

    auto region = core.compile_model(graph(core, path, part_width, part_height, part_width, part_height, false), "CPU", options);
    auto whole = core.compile_model(graph(core, path, width, height, part_width, part_height, true), "CPU", options);
    auto packed = region.create_infer_request(), strided = region.create_infer_request();
    auto begun = whole.create_infer_request();
    packed.set_input_tensor(0, packed_luma);
    packed.set_input_tensor(1, packed_chroma);
    begun.set_input_tensor(0, whole_luma);
    begun.set_input_tensor(1, whole_chroma);
    begun.set_input_tensor(2, begin);
    const auto pack = [&] {
        for (size_t i = 0; i < h; i++) {
            std::memcpy(packed_luma.data<uint8_t>() + i * w, &luma[(y + i) * row + x], w);
        }
        for (size_t i = 0; i < h / 2; i++) {
            std::memcpy(packed_chroma.data<uint8_t>() + i * w, &chroma[(y / 2 + i) * row + x], w);
        }
    };
    double copy = 1e9, by_packing = 1e9, by_strides = 1e9, by_begin = 1e9;
    for (int round = 0; round < 300; round++) {
        measure(copy, pack);
        measure(by_packing, [&] { pack(), packed.infer(); });
        measure(by_strides, [&] {
            strided.set_input_tensor(0, strided_luma);
            strided.set_input_tensor(1, strided_chroma);
            strided.infer();
        });
        measure(by_begin, [&] { begun.infer(); });
    }
    std::printf(
        "| %dx%d | %dx%d | %.2f | %.2f | %.2f | %.2f |  differences %g, %g\n", width, height, part_width, part_height,
        by_packing, copy, by_strides, by_begin, difference(packed, strided), difference(packed, begun));
}

}  // namespace

int main(int count, char **arguments) {
    if (count != 2) return std::fputs("usage: regions yunet_s_640_640.onnx\n", stderr), 64;
    ov::Core core;
    compare(core, arguments[1], 640, 480, 320, 240);
    compare(core, arguments[1], 640, 480, 452, 338);
    compare(core, arguments[1], 1280, 720, 640, 360);
    compare(core, arguments[1], 1280, 720, 904, 508);
}
